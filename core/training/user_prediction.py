"""The learning curve that a reader predicts, drawn by hand before training, and its error.

No run depends on it.
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

MOST = 200  # points of a line
LARGEST = 1e12  # of both numbers of a point
FIRST = 0.6  # update: points further left are those of the untrained network, as a logarithmic axis has no 0
OVERLAP = 20  # updates of the run along the line before both are compared
AHEAD = 10  # times the update of the run, and
AT_LEAST = 1000  # updates at least: the extent of the chart while a line is drawn


class Expectation(NamedTuple):
    """A line of two points or more, with ascending (fractional) updates; without seconds.

    ``since`` is the update of the run when it was drawn. ``serial`` is the number of the drawing.
    """

    points: tuple[Point, ...]
    since: int
    serial: int


class Outcome(NamedTuple):
    """Both perplexities at an update: the expected and the actual one."""

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
    """A line interpolated at an update, linearly on logarithmic axes; nan beyond its ends."""
    places = [math.log(point.update) for point in points]
    heights = [point.nats for point in points]
    return float(np.interp(math.log(max(update, FIRST)), places, heights, left=math.nan, right=math.nan))


def outcome(expectation: Expectation, judged: Sequence[Point]) -> Outcome | None:
    """Both perplexities at the newest judgement within the line; None before ``OVERLAP`` updates of the run along it."""
    points, since, _ = expectation
    reached = judged[: bisect_right(judged, points[-1].update, key=lambda point: point.update)]
    if not reached or reached[-1].update - max(points[0].update, since) < OVERLAP:
        return None
    update, found = reached[-1].update, reached[-1].nats
    return Outcome(update, perplexity_of(expected_nats(points, update)), perplexity_of(found))


def timed(points: Sequence[Point], judged: Sequence[Point]) -> list[Point]:
    """The points with the seconds of computing at which the run was there, or will be at its pace; none before it has one."""
    past = [point for point in judged if point.update and point.seconds]
    if not past:
        return []
    updates, seconds = [0, *[point.update for point in past]], [0.0, *[point.seconds for point in past]]
    pace = seconds[-1] / updates[-1]

    def at(update: float) -> float:
        return pace * update if update > updates[-1] else float(np.interp(update, updates, seconds))

    return [point._replace(seconds=at(point.update)) for point in points]
