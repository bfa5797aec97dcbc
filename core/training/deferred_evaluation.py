"""The networks of the first updates, kept until there is time to judge them.

Judging costs more than such an update, and a curve with few points there would be a straight line where the truth is not.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from core.config.settings import Settings
from core.models.params import Params
from core.training.curves import Point

EARLY = 30  # up to here every network is judged, at once or later
NUMBERS = 5_000_000  # of all kept networks together, 20 MB in float32: of large ones only the first are kept


class Kept(NamedTuple):
    """A network that was left behind: where it stood on the curve, and how it was to be judged."""

    point: Point
    params: Params
    settings: Settings


class Early:
    """The networks that wait to be judged."""

    def __init__(self) -> None:
        self._kept: list[Kept] = []

    def keep(self, point: Point, params: Params, settings: Settings) -> None:
        """Keep a copy of one of the first networks, where there is room for it."""
        if 0 < point.update <= EARLY and len(self._kept) < room_for(params.flat.size):
            self._kept.append(Kept(point, params.frozen_copy(), settings))

    def take(self, judged: Sequence[Point]) -> Kept | None:
        """The one that is furthest from all judged ones on a logarithmic axis, so that the curve is soon right everywhere."""
        known = [math.log1p(point.update) for point in judged if point.update <= 2 * EARLY]
        alone = [min(abs(math.log1p(kept.point.update) - place) for place in known) for kept in self._kept]
        return self._kept.pop(alone.index(max(alone))) if alone else None

    def forget_after(self, update: int) -> None:
        """Let go of the networks of later updates, for a run that went back."""
        self._kept = [kept for kept in self._kept if kept.point.update <= update]


def room_for(size: int) -> int:
    """How many networks of so many numbers may wait at a time."""
    return min(EARLY, NUMBERS // size)
