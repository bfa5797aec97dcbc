"""What the wall and the lecturer's window show of a room."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypedDict

from core.config.language import gettext as _, lazy_gettext
from core.training.curves import Point
from pages.figures.parts.numbers import amount, count, number, percent
from pages.figures.parts.share_link import Code
from pages.figures.room import votes

TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)  # of perplexity
NOWHERE = -1.0
LABEL = 0.06  # of the height of a chart: the least distance between two labels
NOT_KNOWN = votes.Spread(math.nan, math.nan, math.nan)
FAINT = 40  # curves that are drawn one by one; more are drawn as a density
AFTER_FIRST_VOTE = {
    "explain": lazy_gettext("Less than 30 % are right: explain, then vote again."),
    "discuss": lazy_gettext("30 to 70 % are right: let neighbours discuss, then vote again."),
    "go on": lazy_gettext("More than 70 % are right: show the truth, and explain briefly."),
}


class Histogram(TypedDict):
    """A histogram of guessed numbers, whose counts are those of :class:`RoomDrawing`. Places are shares of its width, below 0
    for a truth or a median that is not known."""

    edges: list[str]
    medians: list[float]  # of each vote
    said: list[str]  # the median and the quartiles of each vote
    place: float  # of the truth
    truth: str


class CurveVote(TypedDict):
    """The curves of a vote in shares of the chart: ``lines`` one by one, or ``cells`` as a density; quartiles, where known."""

    lines: list[list[float | None]]
    cells: list[list[float]]
    low: list[float | None]
    middle: list[float | None]
    high: list[float | None]


class CurveChart(TypedDict):
    """The chart of drawn curves. Ticks, lines and the run are places in shares of the chart's width and height. A line has a
    place for its label, too, which lies over no other one."""

    x: list[tuple[float, str]]
    y: list[tuple[float, str]]
    lines: list[tuple[float, float, str]]
    run: list[tuple[float, float]]
    closest: str
    votes: list[CurveVote]


class RoomDrawing(TypedDict):
    """A room. ``step``: empty without a question; ``can``: whether this page has one. The votes are the lecturer's alone until
    the truth is told."""

    step: str
    can: bool
    number: int
    kind: str
    question: str
    options: list[str]
    misunderstandings: list[str]
    right: int
    counts: list[list[int]]  # of each vote, by option or bin
    earlier: list[list[int]]  # those of an earlier hall, with the truth alone; empty if none was asked
    hands: list[int]  # those counted by hand in the newest vote
    advice: str
    answered: int
    joined: int
    shut: bool
    by_hand: bool  # whether hands are counted instead of phones
    link: str
    code: Code | None
    note: str
    histogram: Histogram | None  # of a number
    chart: CurveChart | None  # of a curve


class Scale(NamedTuple):
    """The scale of a number."""

    low: float
    high: float
    log: bool

    def share(self, value: float) -> float:
        """The place of a value, from 0 to 1."""
        low, high, value = (math.log(one) if self.log else one for one in (self.low, self.high, max(value, self.low)))
        return min(max((value - low) / (high - low), 0.0), 1.0)

    def bins(self) -> list[str]:
        """The bins of its histogram in words."""
        return [_("{low} to {high}", low=low, high=high) for low, high in pairwise(self.edges())]

    def edges(self) -> list[str]:
        """The edges of these bins in words."""
        return [amount(edge) for edge in votes.edges(*self[:2], log=self.log)]


def histogram(given: Sequence[Sequence[float]], scale: Scale, truth: float) -> Histogram:
    """The guesses of each vote on their scale; ``truth`` is nan where it is not known."""
    spreads = list(map(votes.spread, given))
    return {
        "edges": scale.edges(),
        "medians": [scale.share(one.middle) if one else NOWHERE for one in spreads],
        "said": [_median_words(one) if one else "" for one in spreads],
        "place": scale.share(truth) if math.isfinite(truth) else NOWHERE,
        "truth": _exactly(truth) if math.isfinite(truth) else "",
    }


def _exactly(value: float) -> str:
    return count(int(value)) if value.is_integer() else number(value)


def _median_words(spread: votes.Spread) -> str:
    low, middle, high = map(number, spread)
    return _("median {middle}, half of you between {low} and {high}", middle=middle, low=low, high=high)


def curve_chart(
    given: Sequence[Sequence[Sequence[float]]],
    until: int,
    top: float,
    lines: Mapping[str, float],
    run: Sequence[Point],
    *,
    told: bool,
) -> CurveChart:
    """The votes as curves, up to the update ``until`` and ``top`` nats; and the run, once it is ``told``."""
    run = [point for point in run if 1 <= point.update <= until and math.isfinite(point.nats)] if told else []
    updates, nats = [point.update for point in run], [point.nats for point in run]
    best = votes.closest(given[-1], updates, nats, until) if given and run else None
    powers = range(int(math.log10(until) + 1e-9) + 1)
    return {
        "x": [(power * math.log(10) / math.log(until), amount(10**power)) for power in powers],
        "y": [(math.log(tick) / top, amount(tick)) for tick in TICKS if math.log(tick) <= top],
        "lines": _labelled({_(name): height / top for name, height in lines.items() if height <= top}),
        "run": [(math.log(point.update) / math.log(until), min(point.nats / top, 1.0)) for point in run],
        "closest": _("The closest of your curves is {share} off.", share=percent(math.expm1(best[1]))) if best else "",
        "votes": [_curve_vote(curves, top) for curves in given],
    }


def _labelled(lines: Mapping[str, float]) -> list[tuple[float, float, str]]:
    """Each line from the lowest up: its place, the place of its label, and the label."""
    labelled, free = [], -math.inf
    for name, place in sorted(lines.items(), key=lambda line: line[1]):
        free = max(place, free)
        labelled.append((place, free, name))
        free += LABEL
    return labelled


def _curve_vote(curves: Sequence[Sequence[float]], top: float) -> CurveVote:
    many = len(curves) > FAINT
    cells = votes.density(curves, top) if many else []
    quartiles = [one or NOT_KNOWN for one in votes.curve_spread(curves)]
    return {
        "lines": [] if many else [[_share(height, top) for height in curve] for curve in curves],
        "cells": [[round(count / len(curves), 3) for count in column] for column in cells],
        **{name: [_share(getattr(one, name), top) for one in quartiles] for name in ("low", "middle", "high")},
    }


def _share(nats: float, top: float) -> float | None:
    return round(nats / top, 4) if math.isfinite(nats) else None
