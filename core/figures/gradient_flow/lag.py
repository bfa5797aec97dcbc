"""Size of a gradient against how far back it has gone."""

import math
from typing import Any

import numpy as np

from core.analysis.gradient_flow import LagCurve
from core.figures.parts.chart import layout
from core.figures.parts.numbers import number, short
from core.figures.parts.style import colour

HEIGHT = 304  # px
MARGIN = {"l": 58, "r": 12, "t": 78, "b": 46}
DEEPEST = 15  # decades an axis shows at most


def lag_figure(curve: LagCurve, before: LagCurve | None = None) -> dict[str, Any]:
    """Median and quartiles over t of |d L_t / d h_(t-lag)| on a logarithmic axis, and the line that gives the rate per step.

    ``before`` is the same of the untrained network, scaled to the same start, to compare how they fall. What has no logarithm
    (zero, or no finite number) is left out of the lines.
    """
    lags = np.arange(len(curve.median))
    top, bottom = _ends(curve)
    data = [
        _band(lags, curve, bottom),
        _line(lags, curve.median, "median", {"color": colour("backward"), "width": 3.5}, mode="lines+markers"),
    ]
    if math.isfinite(curve.rate):
        fitted = lags[: curve.fitted]
        data.append(
            _line(
                fitted,
                curve.start * curve.rate ** fitted.astype(float),
                "fitted",
                {"color": colour("text"), "width": 1.5, "dash": "3px 3px"},
            )
        )
    if before is not None and before.median[0] > 0 and np.isfinite(before.median[0]):
        with np.errstate(all="ignore"):
            scaled = before.median * (curve.median[0] / before.median[0])
        data.append(_line(lags, scaled, "untrained", {"color": colour("ghost"), "width": 2, "dash": "8px 5px"}))
    words = {"annotations": _words(curve, compared=len(data) > 3)}
    return {"data": data, "layout": _layout(len(lags), bottom, top) | words}


def _ends(curve: LagCurve) -> tuple[float, float]:
    """Where the axis ends, as powers of ten."""
    sizes = np.concatenate([curve.low, curve.median, curve.high])
    sizes = sizes[np.isfinite(sizes) & (sizes > 0)]
    if not len(sizes):
        return 1.0, -1.0
    top, bottom = math.log10(sizes.max()), math.log10(sizes.min())
    return top + 0.2, max(min(bottom, top - 1) - 0.2, top - DEEPEST)


def _seen(values: np.ndarray) -> list[float | None]:
    """Numbers for a logarithmic axis, in four digits; None for what has no place on it."""
    return [float(f"{value:.4g}") if math.isfinite(value) and value > 0 else None for value in values.tolist()]


def _line(lags: np.ndarray, values: np.ndarray, name: str, line: dict[str, Any], mode: str = "lines") -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": mode,
        "x": lags.tolist(),
        "y": _seen(values),
        "name": name,
        "line": line,
        "marker": {"size": 5, "color": line["color"]},
        "hovertemplate": f"{name}, %{{x}} back: %{{y:.3g}}<extra></extra>",
    }


def _band(lags: np.ndarray, curve: LagCurve, bottom: float) -> dict[str, Any]:
    """From the lower to the upper quartile, round once; a zero lies at the end of the axis."""
    with np.errstate(all="ignore"):
        low, high = (np.where(np.isfinite(side), np.maximum(side, 10.0**bottom), np.nan) for side in (curve.low, curve.high))
    known = np.isfinite(low) & np.isfinite(high)
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [*lags[known].tolist(), *lags[known][::-1].tolist()],
        "y": _seen(np.concatenate([low[known], high[known][::-1]])),
        "fill": "toself",
        "fillcolor": colour("backward"),
        "opacity": 0.25,
        "line": {"width": 0, "color": colour("backward")},
        "hoverinfo": "skip",
        "name": "half of all t",
    }


def _layout(lags: int, bottom: float, top: float) -> dict[str, Any]:
    powers = list(range(math.ceil(bottom), math.floor(top) + 1))
    powers = powers[:: max(len(powers) // 5, 1)]
    ticks = [10.0**power for power in powers] or [10 ** ((bottom + top) / 2)]
    words = [short(tick) if 1e-3 <= tick <= 1e4 else number(tick, 1) for tick in ticks]
    figure = layout("steps back, t − k", "nats per unit of h", height=HEIGHT)
    figure["xaxis"] |= {"range": [-0.5, max(lags - 0.5, 1)]}
    figure["yaxis"] |= {"type": "log", "range": [bottom, top], "tickvals": ticks, "ticktext": words}
    return figure | {"margin": MARGIN, "paper_bgcolor": colour("surface")}


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
