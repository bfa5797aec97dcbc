"""What a run remembers of itself: curves that stay small for ever, flags, moments and ghosts.

One thread may write while others read copies of it: all of it grows at the end, and shrinks there when a run goes back.
"""

import itertools
import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from core.models.loss import perplexity_of
from core.models.rnn import Params
from core.settings import KNOBS, Settings
from core.text.tokenizer import Tokenizer

BINS_PER_E_FOLD = 256  # a curve has this many points for every factor e of updates, and 256 up to update 256
SMOOTHING = 16  # bins that the smoothed curve averages over, once there are enough
Item = TypeVar("Item")
serials = itertools.count(1)  # numbers of runs and moments: unlike an id(), none of them ever comes back


class Point(NamedTuple):
    """One point of a curve: where (in four units) and the mean loss there, in nats per token."""

    update: int
    tokens: int
    seconds: float
    nats: float
    epoch: float = 0.0  # passes over the training text

    @property
    def perplexity(self) -> float:
        """exp(nats)."""
        return perplexity_of(self.nats)


class Curve:
    """The training loss, averaged in bins that widen with the update, and its smoothing.

    A bin at update u spans max(1, u // 256) updates, so u updates leave about 256·(1 + ln(u / 256)) points: 2 400 for a
    million. Both a linear and a logarithmic axis show even detail, and no point ever moves.
    """

    def __init__(self) -> None:
        self.points: list[Point] = []
        self.smooth: list[float] = []  # exponential mean of the bins, nats per token, over up to SMOOTHING bins
        self._sum = 0.0
        self._count = 0

    def add(self, point: Point) -> None:
        """Account for one update; its bin appears when it is full."""
        self._sum += point.nats
        self._count += 1
        if self._count < max(1, point.update // BINS_PER_E_FOLD):
            return
        mean = self._sum / self._count
        self._sum, self._count = 0.0, 0
        share = 1 / max(1.0, min(len(self.points) / 8, SMOOTHING))  # early on the curve falls too fast to smooth much
        self.smooth.append(mean if not self.smooth else self.smooth[-1] + share * (mean - self.smooth[-1]))
        self.points.append(point._replace(nats=mean))

    def forget_after(self, update: int) -> None:
        """Take back the points of later updates, for a run that went back. The bin that was being filled starts anew."""
        self._sum, self._count = 0.0, 0
        _drop_after(self.points, update)
        del self.smooth[len(self.points) :]


class Epochs:
    """The mean loss of each whole epoch, over its windows as training read them. Source: Deep Learning from Scratch 2, 5.5,
    which prints its exponential.

    Of the epochs up to e, about 256·(1 + ln(e / 256)) are kept: all at first, then every second, every third ...
    """

    def __init__(self, updates_per_epoch: int) -> None:
        self.points: list[Point] = []  # at the last update of each
        self._updates = updates_per_epoch
        self._sum = 0.0
        self._count = 0

    def add(self, point: Point) -> None:
        """Account for one update; its epoch has a point when all of it has been read."""
        self._sum += point.nats
        self._count += 1
        epoch, left = divmod(point.update, self._updates)
        if left:
            return
        if self._count == self._updates and epoch % max(1, epoch // BINS_PER_E_FOLD) == 0:
            self.points.append(point._replace(nats=self._sum / self._count))
        self._sum, self._count = 0.0, 0

    def forget_after(self, update: int) -> None:
        """Take back the epochs that ended later, for a run that went back. The one in which it did has no point: some of its
        windows were read twice."""
        self._sum, self._count = 0.0, 0
        _drop_after(self.points, update)


@dataclass(frozen=True)
class Flag:
    """A knob was moved: at this update ``name`` went from ``old`` to ``new``."""

    point: Point
    name: str
    old: Any
    new: Any


@dataclass(frozen=True)
class Moment:
    """The network as it was after some update: a read-only copy of its parameters, and what it wrote."""

    update: int
    params: Params
    sample: str
    serial: int = field(default_factory=serials.__next__, compare=False)


@dataclass(frozen=True)
class Ghost:
    """The curve an earlier run left behind, and its network as it was at the end.

    ``params`` is a read-only copy in float32, None for a network too large to keep; ``tokenizer`` is what it reads with.
    ``serial`` is the number of the run.
    """

    settings: Settings
    vocab_size: int
    points: tuple[Point, ...]
    params: Params | None = None
    tokenizer: Tokenizer | None = None
    serial: int = field(default_factory=serials.__next__, compare=False)

    def comparable(self, settings: Settings, vocab_size: int) -> bool:
        """Whether its perplexity means the same as that of a run with these settings: the same text, over the same symbols."""
        return vocab_size == self.vocab_size and not any(KNOBS[name].of_text for name in settings.differing(self.settings))


@dataclass
class History:
    """All of the above for one run."""

    epochs: Epochs
    training: Curve = field(default_factory=Curve)
    judged: list[Point] = field(default_factory=list)
    flags: list[Flag] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)

    def add(self, point: Point) -> None:
        """Account for one update: its loss, as its window was read."""
        self.training.add(point)
        self.epochs.add(point)

    def forget_after(self, update: int) -> None:
        """Take back what was seen of later updates, for a run that went back."""
        for seen in (self.training, self.epochs):
            seen.forget_after(update)
        for seen in (self.judged, self.moments):
            _drop_after(seen, update)


def _drop_after(seen: list[Any], update: int) -> None:
    while seen and seen[-1].update > update:
        seen.pop()


def thin(points: list[Item], most: int, early: int = 0) -> list[Item]:
    """At most about ``most`` of the points, evenly by index; always the last, and the first ``early`` + 1 of them all: on a
    logarithmic axis they stand far apart."""
    stride = max(1, math.ceil((len(points) - early) / (most - early)))
    kept = points[:early] + points[early::stride]
    return kept if not points or kept[-1] is points[-1] else [*kept, points[-1]]
