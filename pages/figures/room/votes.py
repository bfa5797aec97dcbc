"""The votes of a hall in numbers: counts, medians, histograms, the density of curves, and the closest of them.

Curves are lists of ``COLUMNS`` losses in nats, at updates evenly spaced on a logarithmic axis; nan where nothing was drawn.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

COLUMNS = 41  # of a curve
ROWS = 24  # of a density
BINS = 6  # of a histogram
KNOWN = 1 / 3  # of the curves must have a height at a column, for a median to be drawn there
EXPLAIN, DISCUSS = 0.3, 0.7  # shares of right answers: below the first explain; up to the second discuss


class Spread(NamedTuple):
    """The quartiles of some values."""

    low: float
    middle: float
    high: float


def spread(values: Sequence[float]) -> Spread | None:
    """The quartiles of the values, interpolated; None for no values."""
    return Spread(*map(float, np.quantile(values, (0.25, 0.5, 0.75)))) if len(values) else None


def edges(low: float, high: float, *, log: bool) -> list[float]:
    """The ``BINS`` + 1 edges of a histogram between two bounds."""
    return [float(edge) for edge in (np.geomspace if log else np.linspace)(low, high, BINS + 1)]


def histogram(values: Sequence[float], low: float, high: float, *, log: bool) -> list[int]:
    """How many values lie in each bin; a value at an inner edge is counted in the higher bin."""
    inner = edges(low, high, log=log)[1:-1]
    return np.bincount(np.searchsorted(inner, np.asarray(values, float), side="right"), minlength=BINS).tolist()


def columns(until: int) -> np.ndarray:
    """The updates of the columns of a curve, shape (``COLUMNS``,)."""
    return np.geomspace(1, until, COLUMNS)


def curve_spread(curves: Sequence[Sequence[float]]) -> list[Spread | None]:
    """The quartiles at each column, None where fewer than ``KNOWN`` of the curves have a height."""
    heights = np.asarray(curves, float).reshape(-1, COLUMNS)
    finite = [column[np.isfinite(column)].tolist() for column in heights.T]
    return [spread(column) if len(column) and len(column) >= KNOWN * len(heights) else None for column in finite]


def density(curves: Sequence[Sequence[float]], top: float) -> list[list[int]]:
    """How many curves pass each cell: ``COLUMNS`` lists of ``ROWS`` counts, from 0 nats up to ``top``. A count of a column is at
    most the number of curves."""
    cells = np.zeros((COLUMNS, ROWS), int)
    heights = np.asarray(curves, float).reshape(-1, COLUMNS)
    at, column = np.nonzero(np.isfinite(heights))
    rows = np.clip(heights[at, column] / top * ROWS, 0, ROWS - 1).astype(int)
    np.add.at(cells, (column, rows), 1)
    return cells.tolist()


def distance(curve: Sequence[float], updates: Sequence[float], nats: Sequence[float], until: int) -> float:
    """The median over updates of the run of \\|ln drawn - ln true\\|, the drawn line being interpolated on logarithmic axes.

    nan if the line has no height at any of these updates.
    """
    heights, known = np.asarray(curve, float), np.isfinite(curve)
    if not known.any() or not len(updates):
        return math.nan
    places = np.log(columns(until))[known]
    drawn = np.interp(np.log(updates), places, heights[known], left=math.nan, right=math.nan)
    away = np.abs(drawn - np.asarray(nats, float))
    away = away[np.isfinite(away)]
    return float(np.median(away)) if len(away) else math.nan


def closest(
    curves: Sequence[Sequence[float]], updates: Sequence[float], nats: Sequence[float], until: int
) -> tuple[int, float] | None:
    """The index of the curve closest to the run, and its distance in nats; None if none can be compared."""
    away = [distance(curve, updates, nats, until) for curve in curves]
    known = [(one, i) for i, one in enumerate(away) if math.isfinite(one)]
    return min(known)[::-1] if known else None


def advice(right: int, answered: int) -> str:
    """What a lecturer does after a first vote: "explain", "discuss" or "go on"; empty without an answer."""
    if not answered:
        return ""
    share = right / answered
    return "explain" if share < EXPLAIN else "discuss" if share <= DISCUSS else "go on"


def checked_curve(heights: Any, top: float) -> list[float]:
    """A drawn curve from the perplexities that a phone has sent, None where nothing was drawn; ``ValueError`` if it is none."""
    if not isinstance(heights, list) or len(heights) != COLUMNS:
        raise ValueError(f"A curve has {COLUMNS} heights.")
    nats = [math.nan if one is None else math.log(one) if is_number(one) and one >= 1 else -1.0 for one in heights]
    if any(one < 0 or one > top for one in nats) or sum(map(math.isfinite, nats)) < 2:
        raise ValueError("A curve has two heights or more, between 1 and the top of the chart.")
    return nats


def is_number(value: Any) -> bool:
    """Whether a value of a message is a finite number; True and False are none."""
    return type(value) in (int, float) and abs(value) < 1e300 and math.isfinite(value)
