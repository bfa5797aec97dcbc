"""The proof by experiment: one network for every window length, trained with the state reset, beside the bound for that length.

All begin with the same weights and read equally many tokens of the same text. One is trained at a time; whoever looks chooses
which, and when it has read its share the next unfinished one follows. Of those that wait only the trainer's state is kept.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from core.config.settings import Settings
from core.models.loss import perplexity_of
from core.text.corpus import Corpus, floor_of
from core.training.held_out import HeldOut
from core.training.run.fair_lock import FairLock
from core.training.run.runnable import Source
from core.training.tbptt import Trainer, Update

TOKENS = 600_000  # that every network reads
JUDGED = 50_000  # held-out tokens of a judgement
JUDGEMENTS = 24  # of every network, evenly over its training


class Measured(NamedTuple):
    """What held-out text says of the network for windows of ``num_steps``, after ``tokens`` of training."""

    num_steps: int
    tokens: int
    nats: float
    bound: float  # perplexity that no training can pass
    finished: bool

    @property
    def perplexity(self) -> float:
        """On the held-out text."""
        return perplexity_of(self.nats)


class Proof(Source):
    """Iterate it: one item is one update of the network in its turn. A live run can drive it.

    ``measured`` (window length -> newest measurement) is replaced as a whole, so another thread may read it at any time.
    ``length`` is the window length of the network in its turn, and its truncation: with the state reset the window is all that
    a gradient can reach.
    """

    def __init__(self, corpus: Corpus, recipe: Settings, lengths: Sequence[int], *, first: int = 0, tokens: int = TOKENS) -> None:
        """``first``: the window length whose network is in its turn first (the shortest, when 0)."""
        self.corpus, self.lengths = corpus, tuple(lengths)
        self.measured: dict[int, Measured] = {}
        self.length = first or self.lengths[0]
        self._choosing = FairLock()
        self._step = 0
        self._recipe = recipe.but(carry_state=False)
        self._tokens = tokens
        self._waiting: dict[int, dict[str, Any]] = {}
        self._take(self.length)

    def __next__(self) -> Update:
        """One update; ``StopIteration`` when all have read their share."""
        while self.length != self._present or self._left() == 0:
            with self._choosing:
                if self.length == self._present:
                    self.length = self._next_unfinished()
            self._take(self.length)
        update = next(self.trainer)
        self._step += 1
        gap = max(self._updates(self._present) // JUDGEMENTS, 1)
        if update.step % gap == 0 or self._left() == 0:
            self._judge()
        return update

    def release_buffers(self) -> None:
        self.trainer.release_buffers()

    def choose(self, length: int) -> None:
        """Go on with the network for another window length; the present one waits. From any thread.

        ``ValueError`` for one that is not there.
        """
        if length not in self.lengths:
            raise ValueError(f"The windows are {', '.join(map(str, self.lengths))} long; {length} is not among them.")
        with self._choosing:
            self.length = length

    @property
    def step(self) -> int:
        """Updates of all networks together."""
        return self._step

    @property
    def updates(self) -> int:
        """How many updates all of them take together."""
        return sum(self._updates(length) for length in self.lengths)

    @property
    def finished(self) -> bool:
        """Whether all have read their share."""
        return self.step >= self.updates

    def bound(self, num_steps: int) -> float:
        """The best perplexity for windows of this length, which no network and no training can pass."""
        return floor_of(self.corpus, self._settings_of(num_steps))

    @property
    def _present(self) -> int:
        """The window length of the network that the trainer holds."""
        return self.trainer.settings.num_steps

    def _take(self, length: int) -> None:
        """Let the trainer hold the network for this window length; the one that it held waits, if it is not finished."""
        if self._step and self._left():
            self._waiting[self._present] = self.trainer.state()
        settings = self._settings_of(length)
        self.trainer, self._held_out = Trainer(settings, self.corpus), HeldOut(settings, self.corpus, max_tokens=JUDGED)
        if length in self._waiting:
            self.trainer.restore(self._waiting.pop(length))
        if length not in self.measured:
            self._judge()

    def _settings_of(self, length: int) -> Settings:
        return self._recipe.but(num_steps=length, truncation=length)

    def _updates(self, length: int) -> int:
        return -(-self._tokens // (self._recipe.batch_size * length))

    def _left(self) -> int:
        """Updates that the network still has to do that the trainer holds."""
        seen = self.measured.get(self._present)
        return 0 if seen and seen.finished else self._updates(self._present) - self.trainer.step

    def _next_unfinished(self) -> int:
        """The next longer window that is not finished, or the shortest."""
        left = [length for length in self.lengths if length not in self.measured or not self.measured[length].finished]
        if not left:
            raise StopIteration
        return next((length for length in left if length > self.length), left[0])

    def _judge(self) -> None:
        length, trainer = self._present, self.trainer
        nats = self._held_out.judge(trainer.params, trainer.settings)
        finished = trainer.step >= self._updates(length)
        seen = Measured(length, trainer.tokens, nats, self.bound(length), finished)
        self.measured = self.measured | {length: seen}
