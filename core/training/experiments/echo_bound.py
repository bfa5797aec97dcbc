"""An experiment on the bound of echo-k: a network for every window length, trained with the state reset, beside its bound.

All networks start with the same weights and read equally many tokens of the same text. One network is trained at a time: a viewer
selects it, and once it has read its share, the next unfinished network follows.
"""

import threading
from collections.abc import Sequence
from typing import NamedTuple

from core.config.settings import Settings
from core.models.loss import perplexity_of
from core.text.corpus import Corpus, floor_of
from core.training.held_out import HeldOut
from core.training.run.runnable import Runnable
from core.training.tbptt import Trainer, Update

TOKENS = 600_000  # that every network reads
JUDGED = 50_000  # held-out tokens of a judgement
JUDGEMENTS = 24  # of every network, evenly over its training


class Measured(NamedTuple):
    """The held-out loss of the network for windows of ``num_steps``, after ``tokens`` of training."""

    num_steps: int
    tokens: int
    nats: float
    bound: float  # the lowest possible perplexity
    finished: bool

    @property
    def perplexity(self) -> float:
        """The perplexity on the held-out text."""
        return perplexity_of(self.nats)


class EchoBoundExperiment(Runnable):
    """An iterator: one item is one update of the selected network. A live run can drive it.

    ``measured`` (window length -> newest measurement) is replaced as a whole, so another thread may read it at any time.
    ``length`` is the window length of the selected network, and its truncation: with the state reset a gradient cannot reach
    beyond the window.
    """

    def __init__(self, corpus: Corpus, recipe: Settings, lengths: Sequence[int], tokens: int = TOKENS) -> None:
        self.corpus, self.lengths = corpus, tuple(lengths)
        self.measured: dict[int, Measured] = {}
        self.length = self.lengths[0]
        self._choosing = threading.Lock()
        self._recipe = recipe.but(carry_state=False)
        self._tokens = tokens
        self._trainers: dict[int, Trainer] = {}
        self._take(self.length)

    def __next__(self) -> Update:
        """Do one update. ``StopIteration`` when all networks have read their share."""
        with self._choosing:
            if not self._left(self.length):
                self.length = self._next_unfinished()
            length = self.length
        if self.trainer is not self._trainers.get(length):
            self.release_buffers()
            self._take(length)
        update = next(self.trainer)
        gap = max(self._updates(length) // JUDGEMENTS, 1)
        if update.step % gap == 0 or not self._left(length):
            self._judge()
        return update

    def release_buffers(self) -> None:
        self.trainer.release_buffers()

    def choose(self, length: int) -> None:
        """Select the network for another window length. May be called from any thread.

        ``ValueError`` for a length that is not in ``lengths``.
        """
        if length not in self.lengths:
            raise ValueError(f"The windows are {', '.join(map(str, self.lengths))} long; {length} is not among them.")
        with self._choosing:
            self.length = length

    @property
    def step(self) -> int:
        """Updates of all networks together."""
        return sum(trainer.step for trainer in tuple(self._trainers.values()))

    @property
    def updates(self) -> int:
        """The number of updates that all networks need together."""
        return sum(self._updates(length) for length in self.lengths)

    @property
    def finished(self) -> bool:
        """Whether all networks have read their share."""
        return self.step >= self.updates

    def bound(self, num_steps: int) -> float:
        """The lowest possible perplexity for windows of this length, for any network and any training."""
        return floor_of(self.corpus, self._settings_of(num_steps))

    def _take(self, length: int) -> None:
        """Make the network for this window length the trained one."""
        settings = self._settings_of(length)
        self.trainer = self._trainers[length] = self._trainers.get(length) or Trainer(settings, self.corpus)
        self._held_out = HeldOut(settings, self.corpus, max_tokens=JUDGED)
        if length not in self.measured:
            self._judge()

    def _settings_of(self, length: int) -> Settings:
        return self._recipe.but(num_steps=length, truncation=length)

    def _updates(self, length: int) -> int:
        return -(-self._tokens // (self._recipe.batch_size * length))

    def _left(self, length: int) -> int:
        """Updates that the network for this window length still has to do."""
        return self._updates(length) - (self._trainers[length].step if length in self._trainers else 0)

    def _next_unfinished(self) -> int:
        """The next longer window length that is not finished, or the first unfinished one."""
        left = list(filter(self._left, self.lengths))
        if not left:
            raise StopIteration
        return next((length for length in left if length > self.length), left[0])

    def _judge(self) -> None:
        trainer = self.trainer
        length, nats = trainer.settings.num_steps, self._held_out.judge(trainer.params, trainer.settings)
        seen = Measured(length, trainer.tokens, nats, self.bound(length), not self._left(length))
        self.measured = self.measured | {length: seen}
