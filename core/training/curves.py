"""The learning curves of a run, averaged in bins, so that even long runs have few points.

One thread may append while others read copies. When a run is restored to an earlier update, later points are removed.
"""

import math
from copy import copy
from typing import Any, NamedTuple, TypeVar

from core.models.loss import perplexity_of

BINS_PER_E_FOLD = 256  # points of a curve per factor e of updates, after 256 points for the first 256 updates
SMOOTHING = 16  # bins that the smoothed curve averages over, once there are enough
Item = TypeVar("Item")


class Point(NamedTuple):
    """One point of a curve: its position in four units, and the mean loss there, in nats per token."""

    update: int
    tokens: int
    seconds: float
    nats: float
    epoch: float = 0.0  # passes over the training text

    @property
    def perplexity(self) -> float:
        """exp(nats)."""
        return perplexity_of(self.nats)


def updates_in_bin(update: int) -> int:
    """The number of updates in the bin of the training curve that ends at ``update``."""
    return max(1, update // BINS_PER_E_FOLD)


class _Bins:
    """Means of losses over bins of updates."""

    filling: tuple[float, int] = 0.0, 0  # sum and number of the losses in the incomplete bin

    def __init__(self) -> None:
        self.points: list[Point] = []  # each at the last update of its bin

    def copy(self) -> "_Bins":
        """An independent copy."""
        other = copy(self)
        other.points = self.points[:]
        return other

    def forget_after(self, update: int) -> None:
        """Remove the points of later updates and empty the incomplete bin, after the run is restored to ``update``."""
        self.filling = 0.0, 0
        drop_after(self.points, update)

    def _fill(self, nats: float) -> int:
        """Add a loss to the incomplete bin. Return the number of losses in it."""
        self.filling = self.filling[0] + nats, self.filling[1] + 1
        return self.filling[1]

    def _complete(self) -> float:
        """Return the mean of the bin, and start the next one."""
        total, number = self.filling
        self.filling = 0.0, 0
        return total / number


class Curve(_Bins):
    """The training loss, averaged in bins that widen with the update, and a smoothed copy of it.

    A bin at update u spans max(1, u // 256) updates, so u updates leave about 256·(1 + ln(u / 256)) points: 2 400 for a
    million. They are dense enough for a linear and for a logarithmic axis, and a point never changes once it is added.
    """

    def __init__(self) -> None:
        super().__init__()
        self.smooth: list[float] = []  # exponential mean of the bins, nats per token, over up to SMOOTHING bins

    def add(self, point: Point) -> None:
        """Add the loss of one update. A point is appended once its bin is full."""
        if self._fill(point.nats) < updates_in_bin(point.update):
            return
        mean = self._complete()
        share = 1 / max(1.0, min(len(self.points) / 8, SMOOTHING))  # early on the curve falls too fast to smooth much
        self.smooth.append(mean if not self.smooth else self.smooth[-1] + share * (mean - self.smooth[-1]))
        self.points.append(point._replace(nats=mean))

    def copy(self) -> "Curve":
        other = super().copy()
        other.smooth = self.smooth[:]
        return other

    def forget_after(self, update: int) -> None:
        super().forget_after(update)
        del self.smooth[len(self.points) :]


class Epochs(_Bins):
    """The mean training loss of each complete epoch. Source: Deep Learning from Scratch 2, 5.5, which prints its exponential.

    Of the epochs up to e, about 256·(1 + ln(e / 256)) are kept: all at first, then every second, every third ...
    An epoch in which the run is restored to an earlier update has no point: some of its windows are read twice.
    """

    def __init__(self, updates_per_epoch: int) -> None:
        super().__init__()
        self.updates_per_epoch = updates_per_epoch

    def add(self, point: Point) -> None:
        """Add the loss of one update. A point is appended at the end of its epoch."""
        number = self._fill(point.nats)
        epoch, left = divmod(point.update, self.updates_per_epoch)
        if left:
            return
        mean = self._complete()
        if number == self.updates_per_epoch and epoch % max(1, epoch // BINS_PER_E_FOLD) == 0:
            self.points.append(point._replace(nats=mean))


def drop_after(seen: list[Any], update: int) -> None:
    while seen and seen[-1].update > update:
        seen.pop()


def thin(points: list[Item], most: int, early: int = 0) -> list[Item]:
    """About ``most`` points at most, evenly spaced by index. The last point and the first ``early`` + 1 are always included: the
    first ones are far apart on a logarithmic axis."""
    stride = max(1, math.ceil((len(points) - early) / (most - early)))
    kept = points[:early] + points[early::stride]
    return kept if not points or kept[-1] is points[-1] else [*kept, points[-1]]
