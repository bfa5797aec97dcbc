"""The learning curve that a reader predicts, drawn by hand before training, and its error.

Training does not depend on it.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from core.config.settings import Settings
from core.models.loss import perplexity_of
from core.training.curves import Point

MOST = 200  # points of a line, at most
LARGEST = 1e12  # of both coordinates of a point, at most
FIRST = 0.6  # points further left are moved to this update, which stands for 0: a logarithmic axis has no 0
OVERLAP = 20  # updates that the run does along the line before the two are compared
AHEAD = 10  # while a line is drawn, the chart extends to this multiple of the current update,
AT_LEAST = 1000  # and at least to this update


class Expectation(NamedTuple):
    """The predicted curve: two points or more with ascending (fractional) updates; seconds are 0.

    ``since`` is the update of the run at which the line was drawn. ``serial`` is the number of the drawing.
    """

    points: tuple[Point, ...]
    since: int
    serial: int


class Outcome(NamedTuple):
    """The expected and the actual perplexity at an update."""

    update: int
    expected: float
    found: float

    @property
    def factor(self) -> float:
        """The actual perplexity, relative to the expected one; not finite after a divergence."""
        return self.found / self.expected


def one_update(settings: Settings, updates_per_epoch: int) -> Point:
    """The size of an update, in tokens and epochs."""
    return Point(1, settings.batch_size * settings.num_steps, 0.0, 0.0, 1 / updates_per_epoch)


def drawn(line: Any, across: str, step: Point, since: int, serial: int) -> Expectation:
    """The expectation from points [x, perplexity], x in the unit ``across``: updates, epochs or tokens.

    ``step`` is the size of an update. Perplexities are at least 1. ``ValueError`` for an invalid line.
    """
    units = {"updates": step.update, "epochs": step.epoch, "tokens": step.tokens}
    if across not in units or not isinstance(line, list) or not 2 <= len(line) <= MOST or not all(map(_is_place, line)):
        raise ValueError(f"A line has 2 to {MOST} points over updates, epochs or tokens: two positive numbers each.")
    updates = [max(place / units[across], FIRST) for place, _ in line]
    if any(one > other for one, other in pairwise(updates)) or updates[0] == updates[-1]:
        raise ValueError("A line goes from left to right.")
    points = (_at(update, math.log(max(value, 1.0)), step) for update, (_, value) in zip(updates, line, strict=True))
    return Expectation(tuple(points), since, serial)


def _is_place(place: Any) -> bool:
    numbers = isinstance(place, list) and len(place) == 2 and all(type(one) in (int, float) for one in place)
    return numbers and all(0 < one <= LARGEST for one in place)


def _at(update: float, nats: float, step: Point) -> Point:
    return Point(update, update * step.tokens, 0.0, nats, update * step.epoch)


def room(now: int, step: Point) -> Point:
    """The extent of the chart while a line is drawn."""
    return _at(AHEAD * max(now, AT_LEAST // AHEAD), 0.0, step)


def expected_nats(points: Sequence[Point], update: float) -> float:
    """The loss of a line at an update, in nats, interpolated linearly on logarithmic axes; nan beyond its ends."""
    places = [math.log(point.update) for point in points]
    heights = [point.nats for point in points]
    return float(np.interp(math.log(max(update, FIRST)), places, heights, left=math.nan, right=math.nan))


def outcome(expectation: Expectation, judged: Sequence[Point]) -> Outcome | None:
    """Both perplexities at the newest judgement within the line; None until the run has done ``OVERLAP`` updates along it."""
    points, since, _ = expectation
    reached = judged[: bisect_right(judged, points[-1].update, key=lambda point: point.update)]
    if not reached or reached[-1].update - max(points[0].update, since) < OVERLAP:
        return None
    update, found = reached[-1].update, reached[-1].nats
    return Outcome(update, perplexity_of(expected_nats(points, update)), perplexity_of(found))


def timed(points: Sequence[Point], judged: Sequence[Point]) -> list[Point]:
    """The points with the computing time of the run at their updates, extrapolated at its mean pace; [] without judged times."""
    past = [point for point in judged if point.update and point.seconds]
    if not past:
        return []
    updates, seconds = [0, *[point.update for point in past]], [0.0, *[point.seconds for point in past]]
    pace = seconds[-1] / updates[-1]

    def at(update: float) -> float:
        return pace * update if update > updates[-1] else float(np.interp(update, updates, seconds))

    return [point._replace(seconds=at(point.update)) for point in points]
