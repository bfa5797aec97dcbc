"""Two equal networks, one reading a text in order and one its windows shuffled: what the order is worth to a state handed on."""

from dataclasses import replace

from core.config.settings import Settings
from core.text.corpus import Corpus
from core.text.streams import Purpose, generator
from core.text.token_stream import shuffled, whole_windows
from core.training.curves import Point
from core.training.held_out import HeldOut
from core.training.run.runnable import Source
from core.training.tbptt import Trainer, Update

GAP = 1.2  # judged at every update that is so many times the last one judged: a race is short, and is there to be looked at
# Windows of 5, and every answer lies 6 back: only a state that was handed on can know it.
LAG = Settings(
    corpus="lag",
    lag=6,
    hidden_size=32,
    num_steps=5,
    init="orthogonal",
    gain=0.9,
    input_scale=None,
    output_scale=0.01,
    optimizer="sgd",
    learning_rate=0.1,
    cosine_until=0,
)
UNITS = 64  # of networks raced on another text, at most


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


def raced(settings: Settings) -> Settings:
    """These settings for a race: a small network with short windows and its state handed on."""
    return settings.but(
        hidden_size=min(settings.hidden_size, UNITS), num_steps=LAG.num_steps, truncation=None, carry_state=True, clip_norm=1.0
    )


def order_race(settings: Settings, corpus: Corpus) -> Race:
    """Fresh trainers "in order" and "shuffled", judged on text in order. ``ValueError`` for a text too short for one window."""
    N, T = settings.batch_size, settings.num_steps
    whole = whole_windows(corpus.train, N, T)
    mixed = shuffled(whole, T, generator(settings.seed, Purpose.DATA))
    in_order, other = replace(corpus, train=whole), replace(corpus, train=mixed)
    trainers = {"in order": Trainer(settings, in_order), "shuffled": Trainer(settings, other)}
    return Race(trainers, HeldOut(settings, in_order), floor=corpus.floor)
