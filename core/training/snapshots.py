"""A run after some update: what there is to see of it, and the moments that it can go back to, copies of all that an update
changes, spaced evenly over the logarithm of the update."""

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
from core.text.streams import Purpose, generator
from core.training.curves import Point
from core.training.held_out import HeldOut, Judgement
from core.training.memory import MOST_MOMENTS, budget_of_moments
from core.training.optimizers import rate_at
from core.training.tbptt import Update

LENGTH = {"char": 192, "word": 40}  # tokens of a sample
APART = 1.12  # each is at least so many times the update of the one before
serials = itertools.count(1)  # numbers of runs and moments: unlike an id(), none of them ever comes back


@dataclass(frozen=True)
class View:
    """What there is to see after some update. Perplexities in tokens to choose among, norms of the whole gradient."""

    settings: Settings
    point: Point  # where training stands; its nats are the last update's loss
    judged: Point  # the newest judgement on held-out text (or, without any, on the training text)
    judgement: Judgement = field(compare=False)  # the same with its standard error
    grad_norm: float  # before clipping; nan before the first update
    clipped_norm: float
    sample: str
    sample_update: int

    @property
    def learning_rate(self) -> float:
        """In force at the next update."""
        return rate_at(self.settings, self.point.update)

    @property
    def perplexity(self) -> float:
        """By the newest judgement."""
        return perplexity_of(self.judged.nats)

    @property
    def error(self) -> float:
        """The standard error of the perplexity: that of the loss, times the slope of exp. nan for too short a text."""
        return self.perplexity * self.judgement.error


def norms_of(update: Update | None) -> tuple[float, float]:
    """The norm of an update's gradient before and after clipping; nan without an update."""
    return (update.grad_norm, update.clipped_norm) if update else (math.nan, math.nan)


def sample_of(params: Params, corpus: Corpus, settings: Settings, update: int) -> str:
    """After this update, at temperature 1: with equal networks the same text. ``ValueError`` where numbers are not finite."""
    if not corpus.is_text:  # what it predicts is not what comes next
        return ""
    rng, tokenizer = generator(settings.seed, Purpose.DISPLAY, update), corpus.tokenizer
    start = rng.integers(tokenizer.size, size=1)
    reader = RnnReader(params, settings.activation)
    return tokenizer.decode(generate(reader, prompt=start, length=LENGTH[tokenizer.unit], temperature=1.0, rng=rng))


@dataclass(frozen=True)
class Moment:
    """A run as it was after some update.

    ``state`` is the trainer's, and read-only: whoever restores it goes on bit for bit. ``point`` has the loss of ``last``, the
    update that led here (None before the first). ``sample`` is what the network writes at a milestone; None until it has.
    """

    point: Point
    settings: Settings
    params: Params
    state: Mapping[str, Any]
    last: Update | None = None
    sample: str | None = None
    before_move: bool = False  # a knob was moved here, right after
    serial: int = field(default_factory=serials.__next__, compare=False)

    @classmethod
    def of(cls, params: Params, state: dict[str, Any], point: Point, settings: Settings, last: Update | None) -> "Moment":
        """A moment of the network ``params`` whose trainer's ``state`` this is: copies, which nobody writes to from here on."""
        for array in state.values():
            if isinstance(array, np.ndarray):
                array.flags.writeable = False
        return cls(point, settings, params.with_flat(state["params"]), state, last)

    @property
    def update(self) -> int:
        return self.point.update

    @property
    def is_milestone(self) -> bool:
        """Whether this is update 0, 10, 100, 1000 ...: such a network is compared with the one of now."""
        return is_milestone(self.update)

    @cached_property
    def bytes(self) -> int:
        """What it takes."""
        return sum(array.nbytes for array in self.state.values() if isinstance(array, np.ndarray))


class Beginning(NamedTuple):
    """A run before its first update: the held-out text, the untrained network, and how it is judged.

    Runs with equal settings on the same text share one, so it is read-only.
    """

    held_out: HeldOut
    moment: Moment
    judgement: Judgement


def is_milestone(update: int) -> bool:
    """0, 10, 100, 1000 ..."""
    return update == 0 or (update >= 10 and 10 ** round(math.log10(update)) == update)


class Moments:
    """Those that are kept, the earliest first. Readers on other threads may hold ``kept``, which never changes in place."""

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
        """Those of updates 0, 10, 100, 1000 ..., as far as they are kept."""
        return [moment for moment in self.kept if moment.is_milestone]

    @property
    def unwritten(self) -> list[Moment]:
        """The milestones whose networks have not written yet."""
        return [moment for moment in self.milestones if moment.sample is None]

    @property
    def bytes(self) -> int:
        """What all of them take."""
        return sum(moment.bytes for moment in self.kept)

    def due(self, update: int) -> bool:
        """Whether there should be one of this update."""
        return (update >= self._due or is_milestone(update)) and not self.at(update)

    def at(self, update: int) -> Moment | None:
        """The one of this very update."""
        return next((moment for moment in self.kept if moment.update == update), None)

    def nearest(self, update: int) -> Moment:
        """The nearest on a logarithmic axis; an update beyond either end counts as that end."""
        update = min(max(update, 0), self.kept[-1].update)
        return min(self.kept, key=lambda moment: abs(math.log1p(moment.update) - math.log1p(update)))

    def add(self, moment: Moment) -> None:
        """Keep another one, later than all; let go of others where there is no room."""
        kept = [*self.kept, moment]
        self._due = max(moment.update + 1, math.ceil(moment.update * APART))
        while len(kept) > 2 and (len(kept) > MOST_MOMENTS or sum(one.bytes for one in kept) > self.budget):
            del kept[_eviction_index(kept)]
        self.kept = tuple(kept)

    def pin(self, moment: Moment) -> None:
        """A knob is moved at this moment: it is kept longer than others."""
        self._put(moment, replace(moment, before_move=True))

    def set_sample(self, moment: Moment, sample: str) -> None:
        """What the network of this moment writes."""
        self._put(moment, replace(moment, sample=sample))

    def copy_until(self, update: int) -> "Moments":
        """Those up to this update, for a run that goes on from there."""
        other = Moments(0)
        other.budget = self.budget
        other.kept = self.kept
        other.forget_after(update)
        return other

    def forget_after(self, update: int) -> None:
        """Let go of those of later updates, for a run that went back."""
        self.kept = tuple(moment for moment in self.kept if moment.update <= update)
        self._due = update + 1

    def _put(self, moment: Moment, instead: Moment) -> None:
        self.kept = tuple(instead if one is moment else one for one in self.kept)


def _eviction_index(kept: list[Moment]) -> int:
    """Which one: never the first nor the last; one where a knob was moved, or a milestone, only where there is nothing else; of
    these the one whose neighbours are closest together."""

    def missed(i: int) -> tuple[bool, bool, float]:
        apart = math.log1p(kept[i + 1].update) - math.log1p(kept[i - 1].update)
        return kept[i].is_milestone, kept[i].before_move, apart

    return min(range(1, len(kept) - 1), key=missed)
