"""A live run: it trains between play and pause, a slice at a time, in the thread of the scheduler.

A :class:`LiveRun` drives any :class:`~core.training.run.runnable.Runnable`. It publishes one immutable :class:`Snapshot` by a
single assignment; readers never wait for it. The state is "paused" only once the snapshot shows the last update.
"""

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal
from weakref import WeakSet, ref

from core.config.language import lazy_gettext, message_of
from core.training.run.runnable import Runnable
from core.training.run.scheduler import SLICE, WAIT, Job, Wait, compute, outside, scheduler
from core.training.tbptt import Diverged

State = Literal["untrained", "training", "waiting", "paused", "diverged", "failed"]
WAITING_AFTER = 0.5  # seconds in the scheduler's queue after which the state of a run is "waiting"
SAMPLE_EVERY = 1.0  # seconds between two samples, at least
SAMPLING_SHARE = 0.05  # share of a run's computing time for its samples
EVERY_UPDATE = 10.0  # updates per second: up to this speed every update is judged
TALKING = 6.0  # updates per second while somebody talks about them
SLOW_UPDATES = 30  # updates of a run that one talks about
THROUGHPUT_PERIOD = 1.0  # seconds: the period of the throughput
_END = object()


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

    @property
    def failed(self) -> bool:
        """Whether the run goes on only once a knob is moved."""
        return self.state in ("diverged", "failed")


class LiveRun:
    """Play, pause and step a source. Methods may be called from any thread; only ``join``, ``step`` and
    ``between_updates`` wait for computing. A run to which nobody refers any more ends."""

    def __init__(self, source: Runnable, *, speed: float = 0.0) -> None:
        self.source = source
        self.speed = speed  # updates per second; 0: as fast as possible
        self.slow_until = 0  # update before which it trains slowly enough to talk about
        self.leader: LiveRun | None = None  # a run that it follows: it waits for each of its updates, and pauses with it
        self._guard = threading.RLock()  # guards the fields below; never held while computing
        self._changing = threading.Lock()  # held for a piece of an update or a command; whoever holds it waits for nothing
        self._begun: Iterator[Any] | None = None  # the remaining pieces of an update or a judgement that has begun
        self._job: Job[None] | None = None  # from play() until it is paused
        self._should_train, self._pause_reason = False, ""
        self.suspended = self._resume_later = False  # suspended: play() waits for resume()
        self._until: int | None = None
        self._goal = ""  # the name of that update on the screen
        self._commands: deque[tuple[Callable[..., None], dict[str, Any]]] = deque()
        self._sampled_at = time.monotonic()
        self._before_sample = 0.0  # seconds of computing left until the next sample
        self._began = -math.inf  # when the newest slice began
        self._rate = Throughput()
        self._snapshot = Snapshot("paused" if source.step else "untrained", "", source.view(), 0.0)

    # Called by pages

    def snapshot(self) -> Snapshot:
        """The newest snapshot; never waits."""
        snapshot, job = self._snapshot, self._job
        queued = job and job.queued
        waits = snapshot.state == "training" and queued is not None and time.monotonic() - queued > WAITING_AFTER
        return replace(snapshot, state="waiting") if waits else snapshot

    @property
    def playing(self) -> bool:
        """Whether it trains, or still judges its last update."""
        return self._snapshot.state == "training"

    @property
    def should_train(self) -> bool:
        """Whether it has been started and not been paused since; a suspended run trains once resumed."""
        with self._guard:  # between the two of a run that is being suspended
            return self._should_train or self._resume_later

    @property
    def arrived(self) -> bool:
        """Whether it is paused and has reached the update given to :meth:`play`."""
        return not self.playing and self._arrived()

    @property
    def pace(self) -> float:
        """Updates per second at present; 0: as fast as possible. A run that follows another one has its pace."""
        paced = self.leader or self
        slow = paced.source.step < paced.slow_until
        return min(paced.speed or math.inf, TALKING) if slow else paced.speed

    def plays_until(self, update: int) -> bool:
        """Whether it trains, or will once resumed, and will pause at this update."""
        return self.should_train and self._until == update

    def play(self, until: int | None = None, goal: str = "") -> bool:
        """Train up to update ``until`` (called ``goal`` on the screen) or until paused. A suspended run trains once resumed.

        Return False without any effect if update ``until`` is done already.
        """
        with self._guard:
            if until is not None and self.source.step >= until:
                return False
            self._until, self._goal = until, goal or lazy_gettext("Update {n}", n=until)
            self._resume_later = self.suspended
            if self.suspended:
                return True
            self._should_train = True
            self._rate = Throughput()
            self._snapshot = replace(self._snapshot, state="training", reason="")
            if self._job is None:
                self._job = scheduler.start(_turns(ref(self)), "training")
                _training.add(self)
            return True

    def pause(self, reason: str = "") -> None:
        """Stop after the current update. Does not wait for it; :meth:`join` does."""
        with self._guard:
            self._resume_later = False
            if self._should_train:
                self._should_train, self._pause_reason = False, reason

    def suspend(self, reason: str = "") -> None:
        """Pause while no tab is connected. :meth:`resume` continues a run that trained; a paused run stays paused."""
        with self._guard:
            should_train = self.should_train
            self.pause(reason)
            self.suspended, self._resume_later = True, should_train

    def resume(self) -> None:
        """End :meth:`suspend`: train again if the run did."""
        with self._guard:
            self.suspended = False
            if self._resume_later:
                self.play(self._until, self._goal)

    def join(self, timeout: float | None = None) -> bool:
        """Wait until the run is paused; False if it still trains after ``timeout`` seconds."""
        job = self._job
        return (job is None or job.wait(timeout)) and self._job is None

    def step(self, updates: int = 1) -> None:
        """Pause, and do this many updates at once."""
        self.pause()
        compute(lambda: self._do(updates))

    def between_updates(self, do: Callable[..., None], **arguments: Any) -> None:
        """Call a method of the source: between two updates while it trains; at once while paused, followed by a judgement."""
        with self._guard:
            self._commands.append((do, arguments))
            if self._job:
                return
        compute(self._obey)

    # Called by the scheduler

    def _turn(self) -> Wait | bool | None:
        """Compute for about 10 ms. ``WAIT`` if the next update is not due yet; True if the run is paused now."""
        with self._guard:  # play() has stored it
            job = self._job
        try:
            if self._continues():
                if self._waits():
                    return WAIT
                self._slice()
                return None
            self._run_commands()
            if self._judge():
                return None
            self._write()
            goal = lazy_gettext("{goal} is reached.", goal=self._goal) if self._arrived() else ""
            return self._end(job, "paused", goal or self._pause_reason or self.source.stop_reason)
        except Exception as error:
            self._fail(job, error)
            return True

    def _continues(self) -> bool:
        if self._arrived() or (self._awaits_leader() and not self.leader.should_train):
            self.pause()
        return self._should_train

    def _waits(self) -> bool:
        """Whether the next update is not due yet, in slow motion, or because its leader has not done that one."""
        if self._begun:
            return False
        if self.leader:
            return self._awaits_leader()
        return bool(self.pace and time.monotonic() < self._began + 1 / self.pace)

    def _awaits_leader(self) -> bool:
        """Whether its leader, if it has one, has not done the next update."""
        return self.leader is not None and self.source.step >= self.leader.source.step

    def _arrived(self) -> bool:
        """Whether the goal of play() is reached. Guarded: no update may happen while play() sets it."""
        with self._guard:
            return self._until is not None and self.source.step >= self._until

    def _slice(self) -> None:
        """Updates for about 10 ms (one, in slow motion), then a new snapshot. Pauses at the end of the schedule. What an update
        still has to do goes on in the next slice, or when the run is paused."""
        began, speed = time.monotonic(), self.pace
        if not self._begun:
            self._began = began
        while self._should_train:
            if not self._begun:
                self._run_commands()
                if self.source.stop_reason:
                    self.pause()
                    break
            self._advance()
            if time.monotonic() >= began + SLICE or (not self._begun and (speed or self._arrived() or self._awaits_leader())):
                break
        if 0 < speed <= EVERY_UPDATE and (self._begun or self._judge()):
            return  # each update is shown with its judgement
        self._before_sample -= time.monotonic() - began
        if (speed or self._before_sample <= 0) and time.monotonic() - self._sampled_at >= SAMPLE_EVERY:
            self._write()
        self._snapshot = Snapshot("training", "", self.source.view(), self._rate.of(self.source.tokens))

    def _do(self, updates: int) -> Generator[Wait, None, None]:
        """Do some updates once the run is paused, unless play() is called before. If it is called meanwhile, the run trains on
        afterwards, and meets the same error."""
        while self._job and not self._should_train:
            yield WAIT
        if self._job:
            return
        try:
            for _ in range(updates):
                self._advance()
                while self._begun:
                    yield
                    if self._job:
                        return
                    self._advance()
            while self._judge():
                yield
                if self._job:
                    return
            self._write()
            self._end(None, "paused", self.source.stop_reason)
        except Exception as error:
            self._fail(None, error)

    def _obey(self) -> Generator[None, None, None]:
        """Run the commands of a paused run, and judge their effect. If play() is called meanwhile, the run does."""
        enough = self.source.stop_reason
        self._run_commands()
        is_judged = self.source.is_evaluated
        while self._judge():
            yield
            if self._job:
                return
        if not is_judged:
            self._write()
        reason, view = self.source.stop_reason, self.source.view()
        with self._guard:
            self._snapshot = replace(
                self._snapshot, reason=reason if self._snapshot.reason == enough else self._snapshot.reason, view=view
            )

    def _advance(self) -> None:
        """Do the next piece of the update that has begun, or of a new one."""
        self._go_on(self.source.pieces)

    def _judge(self) -> bool:
        """Complete the update that has begun, and judge the current network, a piece at a time; False if all is done."""
        if not self._begun and self.source.is_evaluated:
            return False
        self._go_on(self.source.judging)
        return True

    def _go_on(self, begin: Callable[[], Iterator[Any]]) -> None:
        with self._changing:
            pieces, self._begun = self._begun or begin(), None  # also if a piece fails
            if next(pieces, _END) is not _END:
                self._begun = pieces

    def _run_commands(self) -> None:
        while self._commands and self._begun:
            self._advance()
        while self._commands:
            do, arguments = self._commands[0]
            try:
                with self._changing:
                    do(**arguments)
            finally:  # only now: until then the command is pending
                self._commands.popleft()

    def _evaluate(self) -> None:
        """Judge the current network, and let it write."""
        self.source.evaluate()
        self._write()

    def _write(self) -> None:
        """Generate a sample, and compute after how much computing time of this run the next one is due at full speed, so that
        samples take ``SAMPLING_SHARE`` of it. With many runs, each has little computing time."""
        began = time.monotonic()
        self.source.resample()
        self._sampled_at = time.monotonic()
        self._before_sample = (self._sampled_at - began) / SAMPLING_SHARE

    def _end(self, job: Job[None] | None, state: State, reason: str, error: Exception | None = None) -> bool:
        """End a job (None: of a step), from now on commands are done at once. False if it is to go on: play() was called, or a
        command is pending, whose effect has to be judged before it is shown."""
        self.source.release_buffers()
        view = self.source.view()
        with self._guard:
            if self._commands or (self._should_train and not error) or self._job is not job:
                return False
            self._job, self._should_train, self.error = None, False, error
            self._resume_later &= state == "paused"
            self._snapshot = Snapshot(state, reason, view, 0.0)
            _training.discard(self)
            return True

    def _fail(self, job: Job[None] | None, error: Exception) -> None:
        while True:
            try:
                self._run_commands()
                if isinstance(error, Diverged):  # the trainer is back at its last finite update
                    self._evaluate()
            except Exception as another:
                error = another
            state = "diverged" if isinstance(error, Diverged) else "failed"
            if self._end(job, state, message_of(error), error) or self._job is not job:
                return


def _turns(weak: ref[LiveRun]) -> Generator[Any, None, None]:
    """The training of a run, which ends when nobody refers to the run any more."""
    while run := weak():
        turn = (yield from outside(run._turn)) if run.source.outside else run._turn()
        del run
        if turn is True:
            return
        yield turn


_training: WeakSet[LiveRun] = WeakSet()


def how_many_train() -> int:
    """The number of live runs of this process that train."""
    return len(_training)
