"""Several trainers advanced in turn, as one iterator that a live run can drive: what is compared sees equally many updates."""

from core.training.curves import Point
from core.training.held_out import HeldOut
from core.training.run.runnable import Source
from core.training.tbptt import Trainer, Update

GAP = 1.2  # judged at every update that is so many times the last one judged: a race is short, and is there to be looked at


class Race(Source):
    """Iterate it: one item is one update of every trainer. ``judged[name]`` is what held-out text says of each, one point after
    another; it grows at its end, so another thread may copy it at any time.
    """

    def __init__(self, trainers: dict[str, Trainer], held_out: HeldOut, floor: float | None = None) -> None:
        """``floor``: the best possible perplexity, where it is known."""
        self.trainers = trainers
        self.trainer = next(iter(trainers.values()))  # the first, for all that is the same for each
        self.held_out = held_out
        self.floor = floor
        self.judged: dict[str, list[Point]] = {name: [] for name in trainers}
        self._due = 0
        self._judge()

    def __next__(self) -> dict[str, Update]:
        """One update each; raises what a trainer raises (``Diverged``)."""
        updates = {name: next(trainer) for name, trainer in self.trainers.items()}
        if self.step >= self._due:
            self._judge()
        return updates

    def release_buffers(self) -> None:
        for trainer in self.trainers.values():
            trainer.release_buffers()

    @property
    def vocab_size(self) -> int:
        """V, the same for all."""
        return self.trainer.params.vocab_size

    @property
    def step(self) -> int:
        """Updates that every trainer has done."""
        return self.trainer.step

    def _judge(self) -> None:
        for name, trainer in self.trainers.items():
            nats = self.held_out.judge(trainer.params, trainer.settings)
            self.judged[name].append(Point(trainer.step, trainer.tokens, 0.0, nats))
        self._due = max(self.step + 1, round(GAP * self.step))
