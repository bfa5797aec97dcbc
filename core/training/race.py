"""Several trainers advanced in turn, as one iterator that a live run can drive: what is compared sees equally many updates."""

from typing import Any

import numpy as np

from core.settings import Settings
from core.text.corpus import Stream
from core.training.held_out import HeldOut, next_due
from core.training.history import Point
from core.training.tbptt import Trainer, Update
from core.training.watched import View

FIRST_GAP = 1.15  # judged at every update that is so many times the last one judged, or when its cost allows, if that is later


class Race:
    """Iterate it: one item is one update of every trainer. ``judged[name]`` is what held-out text says of each, one point after
    another; it grows at its end, so another thread may copy it at any time.
    """

    def __init__(self, trainers: dict[str, Trainer], held_out: HeldOut) -> None:
        self.trainers = trainers
        self.held_out = held_out
        self.judged: dict[str, list[Point]] = {name: [] for name in trainers}
        self._due = 0
        self._judge()

    def __iter__(self) -> "Race":
        return self

    def __next__(self) -> dict[str, Update]:
        """One update each; raises what a trainer raises (``Diverged``)."""
        updates = {name: next(trainer) for name, trainer in self.trainers.items()}
        if self.step >= self._due:
            self._judge()
        return updates

    @property
    def first(self) -> Trainer:
        return next(iter(self.trainers.values()))

    @property
    def settings(self) -> Settings:
        return self.first.settings

    @property
    def step(self) -> int:
        """Updates that every trainer has done."""
        return self.first.step

    def look(self) -> View:
        last = next(iter(self.judged.values()))[-1]
        now = last._replace(update=self.step, tokens=self.first.tokens)
        nothing = float("nan")
        return View(self.settings, now, 0.0, last, nothing, nothing, "", 0)

    def refresh(self) -> None:
        """There is nothing to write: a race is looked at by its curves."""

    def change(self, **knobs: Any) -> None:
        """Move live knobs of all of them. ``ValueError`` for a field that is not live."""
        for trainer in self.trainers.values():
            trainer.settings = trainer.settings.but(**knobs)

    def undo(self) -> None:
        """Nothing to put back."""

    def _judge(self) -> None:
        for name, trainer in self.trainers.items():
            nats = self.held_out.judge(trainer.params, trainer.settings)
            self.judged[name].append(Point(trainer.step, trainer.tokens, 0.0, nats))
        self._due = max(next_due(self.step, self.held_out, self.settings), round(FIRST_GAP * self.step))


def whole_windows(stream: Stream, batch_size: int, num_steps: int) -> Stream:
    """A stream cut to a length at which every row is whole windows, so that no window begins in one row and ends in the next."""
    length = len(stream) // (batch_size * num_steps) * batch_size * num_steps
    return Stream(stream.inputs[:length], stream.targets[:length])


def shuffled(stream: Stream, num_steps: int, rng: np.random.Generator) -> Stream:
    """The same windows of ``num_steps`` pairs in random order (a last, shorter piece is left out)."""
    order = rng.permutation(len(stream) // num_steps)
    places = (order[:, None] * num_steps + np.arange(num_steps)).ravel()
    return Stream(stream.inputs[places], stream.targets[places])
