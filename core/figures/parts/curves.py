"""Several curves over one pair of axes, one of them often logarithmic: what the pictures of gradients share.

Logarithmic axes are drawn as straight ones of log10, so that a curve may leave the picture and what has no logarithm is a gap.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from core.figures.parts.chart import MARGIN, end_labels, layout
from core.figures.parts.numbers import number, superscript
from core.figures.parts.style import colour, escape

HEIGHT = 320  # px
RIGHT = 138  # px for the names
DECADES = 16  # from what stays in the picture; a curve that goes further leaves it
TICKS = 8


class Curve(NamedTuple):
    """Values over ``x``, how they are drawn, and what stands at their end (a ``<br>`` breaks its line; "" for none)."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    tone: str = "backward"
    dash: str = "solid"
    width: float = 3
    opacity: float = 1.0
    label: str = ""
    dots: bool = False  # instead of a line


def curves_figure(
    curves: Sequence[Curve],
    *,
    x_title: str,
    y_title: str,
    unit: str = "",
    log: bool = True,
    start: float | None = None,
    height: int = HEIGHT,
) -> dict[str, Any]:
    """All curves over one pair of axes. ``unit`` stands behind a value that the pointer rests on.

    ``start`` is a value that stays in the picture even where curves leave it; without one, the largest does.
    """
    heights = [_heights(curve.y, log) for curve in curves]
    low, high = _range([h for column in heights for h in column if h is not None], log, start)
    names = [
        (curve.label, colour(curve.tone), (min(max(end, low), high) - low) / (high - low))
        for curve, column in zip(curves, heights, strict=True)
        if curve.label and (end := _last(column)) is not None
    ]
    chart = layout(x_title, y_title, height=height, right=RIGHT if names else MARGIN["l"] // 2)
    chart["xaxis"] = chart["xaxis"] | {"range": list(_x_range(curves))}
    chart["yaxis"] = chart["yaxis"] | {"range": [low, high]} | (_ticks(low, high) if log else {})
    chart["annotations"] = end_labels(names, height)
    return {"data": [_drawn(curve, column, unit, log) for curve, column in zip(curves, heights, strict=True)], "layout": chart}


def _heights(values: Sequence[float], log: bool) -> list[float | None]:
    """Places on the axis; None where there is nothing to draw."""
    with np.errstate(all="ignore"):
        array = np.asarray(values, np.float64)
        places = np.log10(array) if log else array
    return [float(f"{place:.5g}") if math.isfinite(place) else None for place in places.tolist()]


def _last(heights: Sequence[float | None]) -> float | None:
    return next((h for h in reversed(heights) if h is not None), None)


def _range(heights: Sequence[float], log: bool, start: float | None) -> tuple[float, float]:
    if not heights:
        return (-1.0, 1.0) if log else (0.0, 1.0)
    low, high = min(heights), max(heights)
    if not log:
        return min(low, 0.0), 1.08 * high if high > 0 else 1.0
    kept = high if start is None else math.log10(start)
    low, high = max(min(low, kept), kept - DECADES), min(max(high, kept), kept + DECADES)
    room = 0.06 * (high - low) + 0.2
    return low - room, high + room


def _x_range(curves: Sequence[Curve]) -> tuple[float, float]:
    places = [x for curve in curves for x in curve.x]
    low, high = min(places, default=0), max(places, default=1)
    room = (0.035 if any(curve.dots for curve in curves) else 0.015) * (high - low) or 0.5
    return low - room, high + room


def _drawn(curve: Curve, heights: Sequence[float | None], unit: str, log: bool) -> dict[str, Any]:
    alone = sum(h is not None for h in heights) == 1
    return {
        "type": "scatter",
        "mode": "markers" if curve.dots or alone else "lines",
        "name": escape(curve.name),
        "x": list(curve.x),
        "y": heights,
        "text": [number(_value(h, log)) if h is not None else "" for h in heights],
        "hovertemplate": f"{escape(curve.name)}<br>%{{x}}: <b>%{{text}}</b>{escape(unit)}<extra></extra>",
        "line": {"color": colour(curve.tone), "width": curve.width, "dash": curve.dash},
        "marker": {"color": colour(curve.tone), "size": 9},
        "opacity": curve.opacity,
    }


def _value(height: float, log: bool) -> float:
    if not log:
        return height
    return 10.0**height if abs(height) < 300 else math.inf if height > 0 else 0.0


def _ticks(low: float, high: float) -> dict[str, Any]:
    """Powers of ten; where there is not more than one of them, 1, 2 and 5 as well."""
    every = max(1, math.ceil((high - low) / TICKS))
    exponents = [e for e in range(math.ceil(low), math.floor(high) + 1) if e % every == 0]
    if len(exponents) > 1:
        return {"tickvals": exponents, "ticktext": [_power(e) for e in exponents]}
    steps = [math.log10(m) + e for e in range(math.floor(low), math.ceil(high) + 1) for m in (1, 2, 5)]
    places = [step for step in steps if low <= step <= high]
    return {"tickvals": places, "ticktext": [number(10.0**place, 1) for place in places]}


def _power(exponent: int) -> str:
    """Written out only where it is short."""
    return number(10.0**exponent, 1) if abs(exponent) <= 3 else f"10{superscript(exponent)}"
