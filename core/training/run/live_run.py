"""A live run: a thread that trains between play and pause.

A :class:`LiveRun` drives any :class:`~core.training.run.runnable.Runnable`. It publishes one immutable :class:`Snapshot` by a
single assignment; readers never wait for it. The state is "paused" only once the snapshot shows the last update. A paused run
has no thread.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal

from core.config.language import lazy_gettext, message_of
from core.training.run.fair_lock import compute_lock
from core.training.run.runnable import Runnable
from core.training.tbptt import Diverged

State = Literal["untrained", "training", "waiting", "paused", "diverged", "failed"]
SLICE = 0.02  # seconds for which a run holds the compute lock
WAITING_AFTER = 0.5  # seconds in the queue of the compute lock after which the state of a run is "waiting"
SAMPLE_EVERY = 1.0  # seconds between two samples, at least
SAMPLING_SHARE = 0.05  # share of a run's computing time for its samples
EVERY_UPDATE = 10.0  # updates per second: up to this speed every update is judged
PENDING = 0.5  # seconds for pending evaluations before a run pauses
THROUGHPUT_PERIOD = 1.0  # seconds: the period of the throughput
NAME = "live run"  # of the thread that a run has while it trains


def how_many_train() -> int:
    """The number of live runs of this process that have a thread."""
    return sum(thread.name == NAME for thread in threading.enumerate())


class Throughput:
    """Tokens per second of a run, over the last ``THROUGHPUT_PERIOD`` seconds."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def of(self, tokens: int) -> float:
        """Tokens per second, after this many tokens in all; 0 at first."""
        now = time.monotonic()
        self._seen.append((now, tokens))
        while now - self._seen[0][0] > THROUGHPUT_PERIOD and len(self._seen) > 2:
            self._seen.popleft()
        then, before = self._seen[0]
        return (tokens - before) / (now - then) if now > then else 0.0


@dataclass(frozen=True)
class Snapshot:
    """A run at one instant."""

    state: State
    reason: str  # a sentence that explains the state, or empty
    view: Any  # the value of the source's view()
    tokens_per_second: float  # 0 while the run does not train


class LiveRun:
    """Play, pause and step a source. Methods may be called from any thread; only ``join``, ``step`` and
    ``between_updates`` may wait longer than one update."""

    updates_done = 0  # of all runs since the process began, counted under the compute lock; a slice of a sweep counts as one

    def __init__(self, source: Runnable, *, speed: float = 0.0) -> None:
        self.source = source
        self.error: BaseException | None = None
        self._speed = speed
        self._guard = threading.RLock()  # protects the fields below; held for microseconds
        self._steps = threading.Lock()  # held by step()
        self._changing = threading.Lock()  # protects the source: held for an update or a command
        self._thread: threading.Thread | None = None
        self._should_train, self._pause_reason = False, ""
        self._suspended = self._stepping = False  # from suspend() to resume(); during step(): they postpone play()
        self._resume_later = False
        self._until: int | None = None
        self._goal = ""  # the name of that update on the screen
        self._commands: deque[tuple[Callable[..., None], dict[str, Any]]] = deque()
        self._wake = threading.Event()
        self._waiting_since: float | None = None
        self._sampled_at = time.monotonic()
        self._before_sample = 0.0  # seconds of computing left until the next sample
        self._rate = Throughput()
        self._snapshot = Snapshot("paused" if source.step else "untrained", "", source.view(), 0.0)

    # Called by pages

    def snapshot(self) -> Snapshot:
        """The newest snapshot; never waits."""
        snapshot, waiting_since = self._snapshot, self._waiting_since
        waits = snapshot.state == "training" and waiting_since is not None and time.monotonic() - waiting_since > WAITING_AFTER
        return replace(snapshot, state="waiting") if waits else snapshot

    @property
    def playing(self) -> bool:
        """Whether it trains, or still judges its last update."""
        return self._snapshot.state == "training"

    @property
    def arrived(self) -> bool:
        """Whether it is paused and has reached the update given to :meth:`play`."""
        return not self.playing and self._arrived()

    def play(self, until: int | None = None, goal: str = "") -> bool:
        """Train up to update ``until`` (called ``goal`` on the screen) or until paused. A suspended run trains once resumed.

        Return False without any effect if update ``until`` is done already.
        """
        with self._guard:
            if until is not None and self.source.step >= until:
                return False
            self._until, self._goal = until, goal or lazy_gettext("Update {n}", n=until)
            self._resume_later = self._suspended or self._stepping
            if self._resume_later:
                return True
            self.error, self._should_train = None, True
            self._rate = Throughput()
            self._snapshot = replace(self._snapshot, state="training", reason="")
            if self._thread is None:
                self._thread = threading.Thread(target=self._drive, name=NAME, daemon=True)
                self._thread.start()
            return True

    def pause(self, reason: str = "") -> None:
        """Stop after the current update. Does not wait for it; :meth:`join` does."""
        with self._guard:
            self._resume_later = False
            if self._should_train:
                self._should_train, self._pause_reason = False, reason
        self._wake.set()

    def suspend(self, reason: str) -> None:
        """Pause while no tab is connected. :meth:`resume` continues a run that trained; a paused run stays paused."""
        with self._guard:
            was_training = self._resume_later or self._should_train
            self.pause(reason)
            self._suspended, self._resume_later = True, was_training

    def resume(self) -> None:
        """End :meth:`suspend`: train again if the run did."""
        with self._guard:
            self._suspended = False
            self._resume_if_due()

    def _resume_if_due(self) -> None:
        if self._resume_later and not (self._suspended or self._stepping):
            self._resume_later = False
            self.play(self._until, self._goal)

    def join(self, timeout: float | None = None) -> bool:
        """Wait until the run is paused; False if it still trains after ``timeout`` seconds."""
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout)
        return self._thread is None

    def step(self, updates: int = 1) -> None:
        """Pause, and do this many updates at once, on the calling thread."""
        with self._steps:
            with self._guard:
                self._stepping = True
                self.pause()
            try:
                self.join()
                with compute_lock:
                    self._do(updates)
            finally:
                with self._guard:
                    self._stepping = False
                    self._resume_if_due()

    def between_updates(self, do: Callable[..., None], **arguments: Any) -> None:
        """Call a method of the source: between two updates while it trains; at once while paused, followed by a judgement."""
        with self._guard:
            self._commands.append((do, arguments))
            if self._thread is not None:
                return
            enough = self.source.stop_reason
        with compute_lock:
            self._run_commands()
            if not self.source.is_evaluated:
                self._evaluate()
            with self._guard:
                if self._thread is None:
                    reason = self.source.stop_reason if self._snapshot.reason == enough else self._snapshot.reason
                    self._snapshot = replace(self._snapshot, reason=reason, view=self.source.view())

    @property
    def speed(self) -> float:
        """Updates per second; 0: as fast as possible."""
        return self._speed

    @speed.setter
    def speed(self, updates_per_second: float) -> None:
        self._speed = updates_per_second
        self._wake.set()

    # Called in the run's own thread

    def _drive(self) -> None:
        try:
            while True:
                while self._continues():
                    self._waiting_since = began = time.monotonic()
                    with compute_lock.background():
                        self._waiting_since = None
                        self._slice()
                    self._wait(began)
                with compute_lock:
                    self._run_commands()
                    self._evaluate()
                if self._pause_if_done():
                    return
        except Exception as error:
            with compute_lock:
                self._stop_with(error)

    def _continues(self) -> bool:
        if self._arrived():
            self.pause()
        return self._should_train

    def _arrived(self) -> bool:
        """Whether the goal of play() is reached. Guarded: no update may happen while play() sets it."""
        with self._guard:
            return self._until is not None and self.source.step >= self._until

    def _slice(self) -> None:
        """Updates for about 20 ms (one, in slow motion), then a new snapshot. Pauses at the end of the schedule."""
        began = time.monotonic()
        while self._should_train:
            self._run_commands()
            if self.source.stop_reason:
                self.pause()
                break
            self._advance()
            if self._speed or time.monotonic() >= began + SLICE or self._arrived():
                break
        if 0 < self._speed <= EVERY_UPDATE:
            self.source.evaluate()
        self._before_sample -= time.monotonic() - began
        if (self._speed or self._before_sample <= 0) and time.monotonic() - self._sampled_at >= SAMPLE_EVERY:
            self._write()
        self._snapshot = Snapshot("training", "", self.source.view(), self._rate.of(self.source.tokens))

    def _wait(self, began: float) -> None:
        """Wait between two slices: in slow motion until the next update is due, the speed changes or the run is paused."""
        self._wake.clear()
        speed = self._speed
        if speed and self._should_train:
            self._wake.wait(max(0.0, began + 1 / speed - time.monotonic()))

    def _pause_if_done(self) -> bool:
        """Pause, unless play() was called meanwhile or a command is pending, whose effect has to be judged before it is shown.

        Returns whether it is paused.
        """
        with self._guard:
            pauses = not self._should_train and not self._commands
            if pauses:
                self._stop(
                    "paused",
                    lazy_gettext("{goal} is reached.", goal=self._goal)
                    if self._arrived()
                    else self._pause_reason or self.source.stop_reason,
                )
            return pauses

    # Shared

    def _do(self, updates: int) -> None:
        try:
            for _ in range(updates):
                self._run_commands()
                self._advance()
            self._evaluate()
        except Exception as error:
            self._stop_with(error)
        else:
            self._stop("paused", self.source.stop_reason)

    def _advance(self) -> None:
        with self._change():
            next(self.source)
        LiveRun.updates_done += 1

    def _run_commands(self) -> None:
        while self._commands:
            with self._change():  # not under the guard: a command may take long
                if self._commands:
                    do, arguments = self._commands[0]
                    try:
                        do(**arguments)
                    finally:  # only now: until then the command is pending
                        self._commands.popleft()

    @contextmanager
    def _change(self) -> Iterator[None]:
        """Change the source. Never waits for this lock while holding the compute lock: its owner may have released the compute
        lock, and needs it to finish."""
        if not self._changing.acquire(blocking=False):
            with compute_lock.released():
                self._changing.acquire()
        try:
            yield
        finally:
            self._changing.release()

    def _write(self) -> None:
        """Generate a sample, and compute after how much computing time of this run the next one is due at full speed, so that
        samples take ``SAMPLING_SHARE`` of it. With many runs, each has little computing time."""
        began = time.monotonic()
        self.source.resample()
        self._sampled_at = time.monotonic()
        self._before_sample = (self._sampled_at - began) / SAMPLING_SHARE

    def _evaluate(self) -> None:
        """Judge and sample the current network, then pending ones until training continues, for ``PENDING`` seconds at most."""
        self.source.evaluate()
        self._write()
        until = time.monotonic() + PENDING
        while not (self._should_train or self._commands) and time.monotonic() < until and self.source.evaluate_pending():
            compute_lock.yield_lock()

    def _stop(self, state: State, reason: str = "") -> None:
        """End the thread: from now on commands are executed at once."""
        while True:
            self._run_commands()  # not under the guard, which another thread may acquire while it holds the compute lock
            with self._guard:
                if self._commands:
                    continue
                self._thread, self._should_train = None, False
                self.source.release_buffers()
                self._resume_later &= state == "paused"
                self._snapshot = Snapshot(state, reason, self.source.view(), 0.0)
                return

    def _stop_with(self, error: Exception) -> None:
        self.error = error
        try:
            if isinstance(error, Diverged):  # the trainer is back at its last finite update
                self._run_commands()
                self._evaluate()
        finally:
            self._stop("diverged" if isinstance(error, Diverged) else "failed", message_of(error))
