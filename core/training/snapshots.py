"""Views of a run after an update, and moments: copies of its whole state, from which it can be restored, spaced evenly over the
logarithm of the update."""

import contextlib
import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from core.config.settings import Settings
from core.models.loss import perplexity_of
from core.models.params import Params
from core.models.sampling import RnnReader, generate
from core.text.corpus import Corpus
from core.text.randomness import Purpose, generator
from core.text.tokenizer import Tokenizer
from core.training.curves import Point
from core.training.diagnosis import NOTHING, Diagnosis
from core.training.held_out import HeldOut, Judgement
from core.training.memory import MOST_MOMENTS, budget_of_moments
from core.training.optimizers import rate_at
from core.training.tbptt import Update

LENGTH = {"char": 192, "word": 40}  # tokens of a sample
RATIO = 1.12  # minimum ratio of the updates of successive moments
serials = itertools.count(1)  # numbers of runs and moments; unlike an id(), they are never reused


@dataclass(frozen=True)
class View:
    """The quantities shown after an update. Norms are those of the whole gradient."""

    settings: Settings
    point: Point  # of the last update, with its loss
    judged: Point  # the newest judgement on held-out text (or, without any, on the training text)
    judgement: Judgement = field(compare=False)  # the newest judgement with its standard error
    grad_norm: float  # before clipping; nan before the first update
    clipped_norm: float
    sample: str
    sample_update: int
    diagnosis: Diagnosis = NOTHING

    @property
    def learning_rate(self) -> float:
        """The learning rate of the next update."""
        return rate_at(self.settings, self.point.update)

    @property
    def perplexity(self) -> float:
        """The perplexity of the newest judgement."""
        return perplexity_of(self.judged.nats)

    @property
    def error(self) -> float:
        """The standard error of the perplexity: the one of the loss times the derivative of exp. nan for too short a text."""
        return self.perplexity * self.judgement.error


def norms_of(update: Update | None) -> tuple[float, float]:
    """The norm of an update's gradient before and after clipping; nan without an update."""
    return (update.grad_norm, update.clipped_norm) if update else (math.nan, math.nan)


def sample_of(params: Params, corpus: Corpus, settings: Settings, update: int) -> str:
    """A sample at temperature 1, equal for equal networks and updates. ``ValueError`` if the network's scores are not finite."""
    if not corpus.is_text:  # the targets are not the next inputs
        return ""
    rng, tokenizer = generator(settings.seed, Purpose.DISPLAY, update), corpus.tokenizer
    start = rng.integers(tokenizer.size, size=1)
    reader = RnnReader(params, settings.activation)
    return tokenizer.decode(generate(reader, prompt=start, length=LENGTH[tokenizer.unit], temperature=1.0, rng=rng))


def longest_sample(tokenizer: Tokenizer) -> int:
    """The maximum number of characters of a sample, with blanks between words."""
    return LENGTH[tokenizer.unit] * (1 + max(map(len, tokenizer.vocab)))


@dataclass(frozen=True)
class Moment:
    """The state of a run after an update.

    ``state`` is the trainer's state, read-only; a run restored from it continues bit for bit. ``point`` has the loss of ``last``,
    the last update (None before the first). ``sample`` is the generated text of a milestone; None until it is generated.
    """

    point: Point
    settings: Settings
    params: Params
    state: Mapping[str, Any]
    last: Update | None = None
    sample: str | None = None
    before_move: bool = False  # whether a knob was moved right after this update
    serial: int = field(default_factory=serials.__next__, compare=False)

    @classmethod
    def of(cls, params: Params, state: dict[str, Any], point: Point, settings: Settings, last: Update | None) -> "Moment":
        """A moment from a copy of the trainer's ``state``, which becomes read-only; ``params`` gives the shapes."""
        for array in state.values():
            if isinstance(array, np.ndarray):
                array.flags.writeable = False
        return cls(point, settings, params.with_flat(state["params"]), state, last)

    @property
    def update(self) -> int:
        return self.point.update

    def written(self, corpus: Corpus) -> str:
        """The stored sample, or a new one if there is none; "" if the network has overflowed."""
        with contextlib.suppress(ValueError):
            return self.sample or sample_of(self.params, corpus, self.settings, self.update)
        return ""

    @cached_property
    def bytes(self) -> int:
        """The size of its arrays."""
        return sum(array.nbytes for array in self.state.values() if isinstance(array, np.ndarray))


class Beginning(NamedTuple):
    """A run before its first update: the held-out text, the untrained network, and its judgement.

    Read-only, as runs with equal settings on the same text share one.
    """

    held_out: HeldOut
    moment: Moment
    judgement: Judgement


def is_milestone(update: int) -> bool:
    """Whether ``update`` is 0, 10, 100, 1000 ..., which pages compare with the current network."""
    return update == 0 or (update >= 10 and 10 ** round(math.log10(update)) == update)


class Moments:
    """The moments of a run, the earliest first. ``kept`` is replaced, never changed in place, so other threads may read it."""

    def __init__(self, params_bytes: int) -> None:
        self.kept: tuple[Moment, ...] = ()
        self.budget = budget_of_moments(params_bytes)
        self._due = 0

    @property
    def first(self) -> Moment:
        """The untrained network."""
        return self.kept[0]

    @property
    def milestones(self) -> list[Moment]:
        """The stored moments of updates 0, 10, 100, 1000 ..."""
        return [moment for moment in self.kept if is_milestone(moment.update)]

    def due(self, update: int) -> bool:
        """Whether a moment of this update should be stored."""
        return (update >= self._due or is_milestone(update)) and not self.at(update)

    def at(self, update: int) -> Moment | None:
        """The moment of this update, if it is stored."""
        return next((moment for moment in self.kept if moment.update == update), None)

    def nearest(self, update: int) -> Moment:
        """The moment nearest to this update on a logarithmic axis."""
        update = min(max(update, 0), self.kept[-1].update)
        return min(self.kept, key=lambda moment: abs(math.log1p(moment.update) - math.log1p(update)))

    def add(self, moment: Moment) -> None:
        """Store the newest moment; evict others beyond the budget."""
        kept = [*self.kept, moment]
        self._due = max(moment.update + 1, math.ceil(moment.update * RATIO))
        while len(kept) > 2 and (len(kept) > MOST_MOMENTS or sum(stored.bytes for stored in kept) > self.budget):
            del kept[_eviction_index(kept)]
        self.kept = tuple(kept)

    def pin(self, moment: Moment) -> None:
        """Mark the moment before the move of a knob: it is evicted later than others."""
        self._put(moment, replace(moment, before_move=True))

    def write_milestones(self, corpus: Corpus) -> None:
        """Generate and store the missing samples of milestones."""
        for moment in self.milestones:
            if moment.sample is None:
                self._put(moment, replace(moment, sample=moment.written(corpus)))

    def forget_after(self, update: int) -> None:
        """Remove the moments of later updates, after the run is restored to ``update``."""
        self.kept = tuple(moment for moment in self.kept if moment.update <= update)
        self._due = update + 1

    def _put(self, moment: Moment, replacement: Moment) -> None:
        self.kept = tuple(replacement if stored is moment else stored for stored in self.kept)


def _eviction_index(kept: list[Moment]) -> int:
    """The index of the moment to evict: plain ones first, then those before a move, then milestones; among these the one with the
    smallest gap between its neighbours; never the first nor the last."""

    def priority(i: int) -> tuple[bool, bool, float]:
        gap = math.log1p(kept[i + 1].update) - math.log1p(kept[i - 1].update)
        return is_milestone(kept[i].update), kept[i].before_move, gap

    return min(range(1, len(kept) - 1), key=priority)
