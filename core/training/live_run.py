"""The one thread: trains while people look.

A :class:`LiveRun` drives any :class:`~core.training.source.Source` and knows nothing of Streamlit. It publishes one immutable
:class:`Snapshot` by a single assignment; readers never wait for it. It says that it rests only once what it shows is of the
update at which it rests. A run that rests has no thread.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from core.training.divergence import Diverged
from core.training.source import Source
from core.training.turns import compute, give_way

State = Literal["untrained", "training", "waiting", "paused", "diverged", "failed"]
SLICE = 0.02  # seconds a run keeps the compute token
PATIENCE = 20.0  # seconds without a heartbeat after which a run pauses itself: more than a busy machine keeps a page waiting
WAITING_AFTER = 0.5  # seconds without the token after which a run says that it waits
SAMPLE_EVERY = 1.0  # seconds between two samples
SINGLE = 10.0  # updates per second, up to which every one of them is looked at
CATCH_UP = 0.5  # seconds that a run takes to bring up what waited, before it rests
RATE_OVER = 1.0  # seconds over which tokens per second are measured


@dataclass(frozen=True)
class Snapshot:
    """A run at one instant: how it is, why, and what there is to see."""

    state: State
    reason: str  # a sentence where the state needs one
    view: Any  # what the source's look() gave
    tokens_per_second: float  # 0 while nothing trains


class LiveRun:
    """Play, pause and step a source. Methods may be called from any thread; none waits longer than one update."""

    def __init__(self, source: Source, *, speed: float = 0.0, patience: float = PATIENCE) -> None:
        """``speed`` in updates per second (0: as fast as it goes), ``patience`` in seconds."""
        self.source = source
        self.error: BaseException | None = None
        self._patience = patience
        self._speed = speed
        self._guard = threading.RLock()  # over the fields below, held for microseconds
        self._thread: threading.Thread | None = None
        self._wanted = False  # that it trains
        self._why = ""  # it is to pause
        self._until: int | None = None
        self._goal = ""  # what that update is called
        self._commands: deque[tuple[Callable[..., None], dict[str, Any]]] = deque()
        self._nudge = threading.Event()
        self._beat = 0.0
        self._asked_at: float | None = None
        self._sampled_at = time.monotonic()
        self._rate: deque[tuple[float, int]] = deque()
        self._snapshot = Snapshot("untrained", "", source.look(), 0.0)

    # What a page calls

    def snapshot(self) -> Snapshot:
        """The newest snapshot; never waits."""
        snapshot, asked_at = self._snapshot, self._asked_at
        waits = snapshot.state == "training" and asked_at is not None and time.monotonic() - asked_at > WAITING_AFTER
        return replace(snapshot, state="waiting") if waits else snapshot

    @property
    def playing(self) -> bool:
        """Whether it trains, or still has to bring what it shows up to its last update."""
        return self._snapshot.state == "training"

    def heartbeat(self) -> None:
        """Somebody is looking."""
        self._beat = time.monotonic()

    def play(self, until: int | None = None, goal: str = "") -> bool:
        """Train, up to update ``until`` (called ``goal``, where that is said) or until paused. False, and nothing is changed,
        where that update is not ahead."""
        with self._guard:
            self.heartbeat()
            if until is not None and self.source.step >= until:
                return False
            self._until, self._goal = until, goal or f"Update {until}"
            self.error, self._wanted = None, True
            self._rate.clear()
            self._snapshot = replace(self._snapshot, state="training", reason="")
            if self._thread is None:
                self._thread = threading.Thread(target=self._drive, name="live run", daemon=True)
                self._thread.start()
            return True

    def pause(self, reason: str = "") -> None:
        """Stop after the update that is under way. Does not wait for it; :meth:`join` does."""
        with self._guard:
            if self._wanted:
                self._wanted, self._why = False, reason
        self._nudge.set()

    def join(self, timeout: float | None = None) -> bool:
        """Wait until the run rests; False if it still does not after ``timeout`` seconds."""
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout)
        return self._thread is None

    def step(self, updates: int = 1) -> None:
        """Pause, and do this many updates at once, on the calling thread."""
        self.pause()
        self.join()
        with compute():
            try:
                for _ in range(updates):
                    self._advance()
                self._settle()
            except Exception as error:
                self._stop_with(error)
            else:
                self._rest("paused")

    def between_updates(self, do: Callable[..., None], **arguments: Any) -> None:
        """Call a method of the source: between two updates while it trains; at once, and judged at once, while it rests."""
        with self._guard:
            self._commands.append((do, arguments))
            if self._thread is not None:
                return
            self._obey()
        if not self.source.settled:
            with compute():
                self._settle()
        with self._guard:
            if self._thread is None:
                self._snapshot = replace(self._snapshot, view=self.source.look())

    @property
    def speed(self) -> float:
        """Updates per second; 0 is as fast as it goes."""
        return self._speed

    @speed.setter
    def speed(self, updates_per_second: float) -> None:
        self._speed = updates_per_second
        self._nudge.set()

    # What the run's own thread does

    def _drive(self) -> None:
        try:
            resting = False
            while not resting:
                while self._goes_on():
                    self._asked_at = began = time.monotonic()
                    with compute():
                        self._asked_at = None
                        self._slice()
                    self._wait(began)
                with compute():
                    self._settle()
                resting = self._rest_unless_wanted()
        except Exception as error:
            with compute():
                self._stop_with(error)

    def _goes_on(self) -> bool:
        if self._arrived():
            self.pause(f"{self._goal} is reached.")
        elif time.monotonic() - self._beat > self._patience:
            self.pause(f"No page was looking for {self._patience:g} s.")
        return self._wanted

    def _arrived(self) -> bool:
        """Whether it is where it was to go. Guarded: no update may pass between play()'s look and its goal."""
        with self._guard:
            return self._until is not None and self.source.step >= self._until

    def _slice(self) -> None:
        """Updates for about 20 ms (one, in slow motion), then what there is to see."""
        until = time.monotonic() + SLICE
        while self._wanted:
            self._advance()
            if self._speed or time.monotonic() >= until or self._arrived():
                break
        if 0 < self._speed <= SINGLE:
            self.source.settle()
        if time.monotonic() - self._sampled_at >= SAMPLE_EVERY:
            self._write()
        self._snapshot = Snapshot("training", "", self.source.look(), self._tokens_per_second())

    def _wait(self, began: float) -> None:
        """Between two slices: in slow motion until the next update is due, or something changes."""
        self._nudge.clear()
        speed = self._speed
        if speed and self._wanted:
            self._nudge.wait(max(0.0, began + 1 / speed - time.monotonic()))

    def _rest_unless_wanted(self) -> bool:
        """Whether it rests now; it does not where play() came while the thread was on its way out."""
        with self._guard:
            if not self._wanted:
                self._rest("paused", self._why)
            return not self._wanted

    # Shared

    def _advance(self) -> None:
        self._obey()
        next(self.source)

    def _obey(self) -> None:
        with self._guard:
            while self._commands:
                do, arguments = self._commands.popleft()
                do(**arguments)

    def _write(self) -> None:
        self.source.refresh()
        self._sampled_at = time.monotonic()

    def _settle(self) -> None:
        """Bring all that is shown up to the present update, and what else could wait, unless it is to train again."""
        self.source.settle()
        self._write()
        until = time.monotonic() + CATCH_UP
        while not self._wanted and time.monotonic() < until and self.source.catch_up():
            give_way()

    def _rest(self, state: State, reason: str = "") -> None:
        """From here on nothing trains, and commands act at once."""
        with self._guard:
            self._obey()
            self._thread, self._wanted = None, False
            self._snapshot = Snapshot(state, reason, self.source.look(), 0.0)

    def _stop_with(self, error: Exception) -> None:
        self.error = error
        try:
            if isinstance(error, Diverged):  # the trainer stands at an earlier update, and is sound
                self._settle()
        finally:
            self._rest("diverged" if isinstance(error, Diverged) else "failed", str(error))

    def _tokens_per_second(self) -> float:
        now = time.monotonic()
        self._rate.append((now, self.source.trainer.tokens))
        while now - self._rate[0][0] > RATE_OVER and len(self._rate) > 2:
            self._rate.popleft()
        (then, tokens), now_tokens = self._rate[0], self._rate[-1][1]
        return (now_tokens - tokens) / (now - then) if now > then else 0.0
