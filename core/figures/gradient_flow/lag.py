"""Size of a gradient against how far back it has gone."""

import math
from typing import Any

import numpy as np

from core.analysis.gradient_flow import LagCurve
from core.figures.parts.axes import Axis, power_ticks
from core.figures.parts.chart import Curve, Figure, chart
from core.figures.parts.numbers import number
from core.figures.parts.style import colour

HEIGHT = 304  # px
MARGIN = {"l": 58, "r": 12, "t": 78, "b": 46}
DEEPEST = 15  # decades an axis shows at most


def lag_figure(curve: LagCurve, before: LagCurve | None = None) -> Figure:
    """Median and quartiles over t of |d L_t / d h_(t-lag)| on a logarithmic axis, and the line that gives the rate per step.

    ``before`` is the same of the untrained network, scaled to the same start, to compare how they fall. What has no logarithm
    (zero, or no finite number) is left out of the lines.
    """
    lags, fitted = range(len(curve.median)), curve.line
    curves = [
        Curve("median", lags, curve.median.tolist(), width=3.5, mode="lines+markers", size=5),
        Curve("fitted", range(len(fitted)), fitted.tolist(), "text", "3px 3px", 1.5),
    ]
    scaled = None if before is None else before.median_from(curve.median[0])
    if scaled is not None:
        curves.append(Curve("untrained", lags, scaled.tolist(), "ghost", "8px 5px", 2))
    y = _size_axis(curve)
    figure = chart(curves, Axis("steps back, t − k", -0.5, max(len(lags) - 0.5, 1.0), log=False), y, height=HEIGHT)
    figure["data"].insert(0, _band(curve, y))
    words = _words(curve, compared=scaled is not None)
    figure["layout"] |= {"margin": MARGIN, "paper_bgcolor": colour("surface"), "annotations": words}
    return figure


def _size_axis(curve: LagCurve) -> Axis:
    """It holds the quartiles, at most ``DEEPEST`` decades and at least one."""
    sizes = np.concatenate([curve.low, curve.median, curve.high])
    places = np.log10(sizes[np.isfinite(sizes) & (sizes > 0)]).tolist() or [0.0]
    top, bottom = max(places), min(*places, max(places) - 1)
    low, high = max(bottom - 0.2, top - DEEPEST), top + 0.2
    return Axis("nats per unit of h", low, high, ticks=power_ticks(low, high))


def _band(curve: LagCurve, y: Axis) -> dict[str, Any]:
    """From the lower to the upper quartile, round once; a zero lies at the end of the axis."""
    known = np.flatnonzero(np.isfinite(curve.low) & np.isfinite(curve.high))
    sizes = np.concatenate([curve.low[known], curve.high[known][::-1]])
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [*known.tolist(), *known[::-1].tolist()],
        "y": [y.place(max(size, y.across()[0])) for size in sizes.tolist()],
        "fill": "toself",
        "fillcolor": colour("backward"),
        "opacity": 0.25,
        "line": {"width": 0, "color": colour("backward")},
        "hoverinfo": "skip",
        "name": "half of all t",
    }


def _words(curve: LagCurve, *, compared: bool) -> list[dict[str, Any]]:
    """The title, the rate in large type, and one sentence."""
    lines = [
        ("<b>Size against lag</b>", 16, "text"),
        (f"<b>{rate_in_words(curve)}</b> per step, fitted" if math.isfinite(curve.rate) else "", 15, "backward"),
        (lag_sentence(curve), 13, "muted"),
    ]
    place = {
        "xref": "paper",
        "yref": "paper",
        "x": 0,
        "y": 1,
        "xanchor": "left",
        "yanchor": "top",
        "showarrow": False,
        "align": "left",
    }
    said = [
        place
        | {
            "text": text,
            "font": {"size": size, "color": colour(token)},
            "xshift": -MARGIN["l"] + 10,
            "yshift": MARGIN["t"] - 8 - 22 * i,
        }
        for i, (text, size, token) in enumerate(lines)
    ]
    if compared:
        text = {"text": "dashes: untrained, scaled<br>to the same start", "font": {"size": 12, "color": colour("muted")}}
        said.append(place | text | {"x": 1, "xanchor": "right", "align": "right"})
    return said


def rate_in_words(curve: LagCurve) -> str:
    """The fitted factor per step back: "× 0.77"."""
    return f"× {number(curve.rate)}" if math.isfinite(curve.rate) else "–"


def lag_sentence(curve: LagCurve) -> str:
    """What the curve cannot show: where it ends in exact zeros, or is no longer finite."""
    if not np.isfinite(curve.median).all():
        return f"Exploded: not finite from {int(np.argmin(np.isfinite(curve.median)))} steps back."
    if (curve.median == 0).any():
        first = int(np.argmax(curve.median == 0))
        return "Exactly zero everywhere." if first == 0 else f"Exactly zero from {first} steps back on."
    if not math.isfinite(curve.rate):
        return "Too few steps for a line."
    half = math.log(2) / abs(math.log(curve.rate)) if curve.rate != 1 else math.inf
    if half > 10 * len(curve.median):
        return "Neither falls nor grows over this window."
    return f"{'Halves' if curve.rate < 1 else 'Doubles'} every {number(half, 2)} steps."
