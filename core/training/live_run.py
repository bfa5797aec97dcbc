"""The one thread: trains while people look.

A :class:`LiveRun` drives a :class:`~core.training.watched.Watched` run (or anything with the same few methods) and knows
nothing of Streamlit. It publishes one immutable :class:`Snapshot` by a single assignment; readers never wait for it.

One computation at a time, process-wide: :func:`compute` is the token, handed on in the order of asking and held for about
20 ms or one update, so that thirty viewers each stay responsive. A paused run has no thread.
"""

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, runtime_checkable

from core.models.rnn import Params
from core.settings import KNOBS, Settings
from core.training.tbptt import Diverged
from core.training.watched import View

State = Literal["untrained", "training", "waiting", "paused", "diverged", "failed"]
SLICE = 0.02  # seconds a run keeps the compute token
PATIENCE = 3.0  # seconds without a heartbeat after which a run pauses itself
WAITING_AFTER = 0.5  # seconds without the token after which a run says that it waits
SAMPLE_EVERY = 1.0  # seconds between two samples
SINGLE = 10.0  # updates per second, up to which every one of them is looked at
LIVE = {name for name, knob in KNOBS.items() if knob.kind == "live"}
RATE_OVER = 1.0  # seconds over which tokens per second are measured


class Turns:
    """A lock that is handed on in the order in which it was asked for; a plain lock would favour whoever just had it."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._held = False
        self._waiting: deque[threading.Lock] = deque()

    def __enter__(self) -> None:
        with self._guard:
            if not self._held:
                self._held = True
                return
            ticket = threading.Lock()
            ticket.acquire()
            self._waiting.append(ticket)
        ticket.acquire()

    def __exit__(self, *_: object) -> None:
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._held = False


_turns = Turns()


@contextmanager
def compute() -> Iterator[None]:
    """The right to compute. Wrap in it whatever takes more than about 5 ms; not re-entrant."""
    with _turns:
        yield


@runtime_checkable
class Source(Protocol):
    """What a run can drive."""

    @property
    def settings(self) -> Settings: ...
    @property
    def step(self) -> int: ...
    def __next__(self) -> Any: ...
    def look(self) -> View: ...
    def refresh(self) -> None: ...
    def settle(self) -> None: ...
    def change(self, **knobs: Any) -> None: ...
    def undo(self) -> None: ...


@dataclass(frozen=True)
class Snapshot:
    """A run at one instant: how it is, why, and what there is to see."""

    state: State
    reason: str  # a sentence where the state needs one
    view: View
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
        self._playing = False
        self._until: int | None = None
        self._commands: deque[tuple[str, dict[str, Any]]] = deque()
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
        if snapshot.state == "training" and asked_at is not None and time.monotonic() - asked_at > WAITING_AFTER:
            return replace(snapshot, state="waiting")
        return snapshot

    @property
    def settings(self) -> Settings:
        """The settings as they will be at the next update."""
        with self._guard:
            moves = {name: value for command, knobs in self._commands if command == "change" for name, value in knobs.items()}
            return self.source.settings.but(**moves) if moves else self.source.settings

    @property
    def playing(self) -> bool:
        return self._playing

    def heartbeat(self) -> None:
        """Somebody is looking."""
        self._beat = time.monotonic()

    def play(self, until: int | None = None) -> None:
        """Train, up to update ``until`` or until paused. Starts the thread if there is none."""
        with self._guard:
            self.heartbeat()
            self._until = until
            if self._until is not None and self.source.step >= self._until:
                return
            self.error = None
            self._playing = True
            self._rate.clear()
            self._snapshot = replace(self._snapshot, state="training", reason="")
            if self._thread is None:
                self._thread = threading.Thread(target=self._drive, name="live run", daemon=True)
                self._thread.start()

    def pause(self, reason: str = "") -> None:
        """Stop after the update that is under way. Does not wait for it; :meth:`join` does."""
        with self._guard:
            if not self._playing:
                return
            self._playing = False
            self._snapshot = replace(self._snapshot, state="paused", reason=reason, tokens_per_second=0.0)
        self._nudge.set()

    def join(self, timeout: float | None = None) -> bool:
        """Wait until the thread is gone; False if it still is there after ``timeout`` seconds."""
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
                self.source.settle()
                self.source.refresh()
                self._publish("paused")
            except Exception as error:
                self._stop_with(error)

    def change(self, **knobs: Any) -> None:
        """Move live knobs; training goes on with them at its next update. ``ValueError`` if one is not live or not valid."""
        wrong = [name for name in self.settings.but(**knobs).differing(self.settings) if name not in LIVE]
        if wrong:
            raise ValueError(f"{', '.join(wrong)} cannot change while a run goes on.")
        self._command("change", knobs)

    def undo(self) -> None:
        """Put the last moved knob back."""
        self._command("undo", {})

    def scale_to_radius(self, radius: float) -> None:
        """Give W_hh this spectral radius between two updates, where the source can (a :class:`Watched` run); training goes on."""
        self._command("scale_to_radius", {"radius": radius})

    @property
    def speed(self) -> float:
        return self._speed

    @speed.setter
    def speed(self, updates_per_second: float) -> None:
        self._speed = updates_per_second
        self._nudge.set()

    def params(self) -> Params:
        """A copy of the parameters between two updates. Waits for its turn to compute."""
        with compute():
            return self.source.trainer.params.frozen_copy()

    # What the run's own thread does

    def _drive(self) -> None:
        try:
            while self._wanted():
                self._asked_at = began = time.monotonic()
                with compute():
                    self._asked_at = None
                    self._slice()
                self._rest(began)
            self._settle()
        except Exception as error:
            self._stop_with(error)
        self._finish()

    def _wanted(self) -> bool:
        if self._until is not None and self.source.step >= self._until:
            self.pause(f"Update {self._until} is reached.")
        elif time.monotonic() - self._beat > self._patience:
            self.pause(f"No page was looking for {self._patience:g} s.")
        return self._playing

    def _slice(self) -> None:
        """Updates for about 20 ms (one, in slow motion), then what there is to see."""
        until = time.monotonic() + SLICE
        while self._playing:
            self._advance()
            if self._speed or time.monotonic() >= until or self.source.step == self._until:
                break
        if 0 < self._speed <= SINGLE:
            self.source.settle()
        if time.monotonic() - self._sampled_at >= SAMPLE_EVERY:
            self.source.refresh()
            self._sampled_at = time.monotonic()
        self._publish("training")

    def _rest(self, began: float) -> None:
        """Between two slices: in slow motion until the next update is due, or something changes."""
        self._nudge.clear()
        speed = self._speed
        if speed and self._playing:
            self._nudge.wait(max(0.0, began + 1 / speed - time.monotonic()))

    def _settle(self) -> None:
        """Bring all that is shown up to the update at which it rests."""
        with compute():
            self.source.settle()
            self.source.refresh()
        with self._guard:
            self._snapshot = replace(self._snapshot, view=self.source.look())

    def _finish(self) -> None:
        with self._guard:
            self._thread = None
            self._obey()
            if self._playing:  # play() came while this thread was on its way out
                self.play(self._until)

    # Shared

    def _advance(self) -> None:
        self._obey()
        next(self.source)

    def _command(self, command: str, knobs: dict[str, Any]) -> None:
        with self._guard:
            self._commands.append((command, knobs))
            if self._thread is None:
                self._obey()
                self._snapshot = replace(self._snapshot, view=self.source.look())

    def _obey(self) -> None:
        with self._guard:
            while self._commands:
                command, knobs = self._commands.popleft()
                getattr(self.source, command)(**knobs)

    def _publish(self, state: State) -> None:
        view, now = self.source.look(), time.monotonic()
        self._rate.append((now, view.point.tokens))
        while now - self._rate[0][0] > RATE_OVER and len(self._rate) > 2:
            self._rate.popleft()
        then, tokens = self._rate[0]
        per_second = (view.point.tokens - tokens) / (now - then) if now > then else 0.0
        with self._guard:
            if state == "training" and not self._playing:
                state = "paused"
            reason = self._snapshot.reason if state == self._snapshot.state else ""
            self._snapshot = Snapshot(state, reason, view, per_second if state == "training" else 0.0)

    def _stop_with(self, error: Exception) -> None:
        with self._guard:
            self._playing = False
            self.error = error
            state: State = "diverged" if isinstance(error, Diverged) else "failed"
            self._snapshot = Snapshot(state, str(error), self.source.look(), 0.0)
