"""Size of a gradient against lag, the number of steps back: for one text, and at several moments of the run."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from core.analysis.gradient_flow import KEEP, LagCurve
from core.analysis.vanishing import Experiment
from core.config.language import gettext as _, listed
from pages.figures.parts.axes import Axis, linear_axis, log_axis, power_ticks
from pages.figures.parts.chart import Curve, Figure, chart, note, scatter
from pages.figures.parts.numbers import count, number, percent
from pages.figures.parts.style import colour
from pages.figures.parts.tables import Comparison

HEIGHT = 304  # px
MARGIN = {"l": 58, "r": 12, "t": 78, "b": 46}
NOTE = 0.2  # of the height of the curves, above them: for the note about the dashes
MAX_DECADES = 15  # decades an axis shows at most
DASHES = ("2px 5px", "6px 6px", "11px 5px", "18px 4px")  # of earlier moments; the older the moment, the shorter the dashes
MAX_LAG = 32  # steps back at which networks are compared, at most


def lag_figure(curve: LagCurve, before: LagCurve | None = None, additive: LagCurve | None = None) -> Figure:
    """Median and quartiles over t of |d L_t / d h_(t-lag)| on a logarithmic axis, and the line that gives the rate per step.

    ``before`` is the curve of the untrained network, and ``additive`` of the same weights with an additive path, both drawn
    scaled to the same start, so that the slopes can be compared. Values without a logarithm (zero or not finite) are left out of
    the lines.
    """
    lags, fitted = range(len(curve.median)), curve.line
    curves = [
        Curve(_("median"), lags, curve.median.tolist(), width=3.5, mode="lines+markers", size=5),
        Curve(_("fitted"), range(len(fitted)), fitted.tolist(), "text", "3px 3px", 1.5),
    ]
    scaled = None if before is None else before.median_from(curve.median[0])
    if scaled is not None:
        curves.append(Curve(_("untrained"), lags, scaled.tolist(), "ghost", "8px 5px", 2))
    gated = None if additive is None else additive.median_from(curve.median[0])
    if gated is not None:
        curves.append(Curve(_("with an additive path"), lags, gated.tolist(), "forward", "1px 4px", 2.5))
    y = _size_axis(curve, gated)
    figure = chart(curves, Axis(_("steps back, t − k"), -0.5, max(len(lags) - 0.5, 1.0), log=False), y, height=HEIGHT)
    figure["data"].insert(0, _band(curve, y))
    notes = _notes(curve, compared=scaled is not None, gated=gated is not None)
    figure["layout"] |= {"margin": MARGIN, "paper_bgcolor": colour("surface"), "annotations": notes}
    return figure


def _size_axis(curve: LagCurve, gated: np.ndarray | None) -> Axis:
    """An axis that covers the quartiles and the curve ``gated``: at least one decade, at most ``MAX_DECADES``."""
    sizes = np.concatenate([curve.low, curve.median, curve.high, *([] if gated is None else [gated])])
    places = np.log10(sizes[np.isfinite(sizes) & (sizes > 0)]).tolist() or [0.0]
    top, bottom = max(places), min(*places, max(places) - 1)
    room = (
        0.2 if gated is None else 0.2 + NOTE * (top - max(bottom, top - MAX_DECADES))
    )  # a curve that hardly falls is at the top
    low, high = max(bottom - 0.2, top - MAX_DECADES), top + room
    return Axis(_("nats per unit of h"), low, high, ticks=power_ticks(low, high))


def _band(curve: LagCurve, y: Axis) -> dict[str, Any]:
    """The area between the quartiles as one closed path; a zero is drawn at the lower end of the axis."""
    known = np.flatnonzero(np.isfinite(curve.low) & np.isfinite(curve.high))
    sizes = np.concatenate([curve.low[known], curve.high[known][::-1]])
    x, heights = [*known.tolist(), *known[::-1].tolist()], [y.drawn(max(size, y.ends()[0])) for size in sizes.tolist()]
    look = {"fill": "toself", "fillcolor": colour("backward"), "opacity": 0.25}
    return scatter("half of all t", x, heights, line={"width": 0, "color": colour("backward")}, **look)


def _notes(curve: LagCurve, *, compared: bool, gated: bool) -> list[dict[str, Any]]:
    """The title, the rate in large type, and one sentence."""
    corner = {"xref": "paper", "yref": "paper", "y": 1, "yanchor": "top"}
    left = corner | {"x": 0, "xanchor": "left", "align": "left", "xshift": -MARGIN["l"] + 10}
    rate = _("<b>{rate}</b> per step, {fitted}", rate=rate_in_words(curve), fitted=fitted_over(curve))
    title = _("Size against lag")
    lines = (
        (f"<b>{title}</b>", 16, "text"),
        (rate if math.isfinite(curve.rate) else "", 15, "backward"),
        (lag_sentence(curve), 13, "muted"),
    )
    made = [note(*line, **left, yshift=MARGIN["t"] - 8 - 22 * i) for i, line in enumerate(lines)]
    if compared:
        text, right = _("dashes: untrained, scaled<br>to the same start"), {"x": 1, "xanchor": "right", "align": "right"}
        made.append(note(text, 12, "muted", **corner, **right))
    if gated:
        text = _("dots: the same weights, {share}<br>of h kept at every step", share=percent(KEEP))
        made.append(
            note(text, 12, "forward", **corner | {"x": 0, "xanchor": "left", "align": "left", "y": 0, "yanchor": "bottom"})
        )
    return made


def rate_in_words(curve: LagCurve) -> str:
    """The fitted factor per step back: "× 0.77"."""
    return f"× {number(curve.rate)}" if math.isfinite(curve.rate) else "–"


def fitted_over(*curves: LagCurve) -> str:
    """The number of lags, from 0 on, over which the line through the logarithms of the medians was fitted, as text."""
    return _("fitted over {lags} lags", lags=listed(list(dict.fromkeys(str(curve.fitted) for curve in curves))))


def lag_sentence(curve: LagCurve) -> str:
    """A sentence: where the curve is zero or not finite, else over how many steps it halves or doubles."""
    if not np.isfinite(curve.median).all():
        return _("Exploded: not finite from {steps} steps back.", steps=int(np.argmin(np.isfinite(curve.median))))
    if (curve.median == 0).any():
        first = int(np.argmax(curve.median == 0))
        return _("Exactly zero everywhere.") if first == 0 else _("Exactly zero from {steps} steps back on.", steps=first)
    if not math.isfinite(curve.rate):
        return _("Too few steps for a line.")
    half = math.log(2) / abs(math.log(curve.rate)) if curve.rate != 1 else math.inf
    if half > 10 * len(curve.median):
        return _("Neither falls nor grows over this window.")
    if curve.rate < 1:
        return _("Halves every {steps} steps.", steps=number(half, 2))
    return _("Doubles every {steps} steps.", steps=number(half, 2))


def lag_chart(curves: Sequence[Curve], others: Sequence[Curve] = ()) -> Figure:
    """Sizes relative to lag 0, over the lag; the y axis always includes the size at lag 0. Both axes hold ``others``, too, which
    are not drawn."""
    held = [*curves, *others]
    x = linear_axis(_("steps back, t − k"), (lag for curve in held for lag in curve.x))
    y = log_axis(_("size of ∂Lₜ/∂hₖ, 1 at lag 0 (log scale)"), (size for curve in held for size in curve.y), start=1.0)
    return chart(curves, x, y)


def experiment_curve(name: str, experiment: Experiment, **look: Any) -> Curve:
    """The median sizes of an experiment, relative to lag 0, over the lag."""
    return Curve(name, list(range(experiment.T)), experiment.relative.tolist(), **look)


def per_step(experiment: Experiment) -> str:
    """The fitted factor per step, as a label of two lines."""
    if math.isnan(experiment.rate):
        return _("no rate to fit")
    return _("× {rate} per step,<br>{fitted}", rate=number(experiment.rate), fitted=fitted_over(experiment.curve))


def common_lag(*experiments: Experiment) -> int:
    """The lag at which networks are compared: ``MAX_LAG``, or the longest lag that all of them have."""
    return min(MAX_LAG, *(experiment.T - 1 for experiment in experiments))


class MeasuredMoment(NamedTuple):
    """The network after ``update`` updates, and the measured sizes of its gradients."""

    update: int
    experiment: Experiment


def lag_history_figure(moments: Sequence[MeasuredMoment], now: MeasuredMoment) -> Figure:
    """A curve for each moment, thinner for older moments; the present network has the thickest."""
    past, curves = _before(moments, now), []
    for i, moment in enumerate(past):
        name = _("untrained") if moment.update == 0 else _("update {update}", update=count(moment.update))
        look = {"dash": DASHES[min(i, len(DASHES) - 1)], "width": 2 + 0.4 * i, "opacity": 0.6 + 0.3 * i / len(past)}
        curves.append(experiment_curve(name, moment.experiment, **look, label=name))
    name = _("now, {update}", update=count(now.update))
    label = f"<b>{name}</b><br>{per_step(now.experiment)}"
    curves.append(experiment_curve(_("now, update {update}", update=count(now.update)), now.experiment, width=4.5, label=label))
    return lag_chart(curves)


def _before(moments: Sequence[MeasuredMoment], now: MeasuredMoment) -> list[MeasuredMoment]:
    return [moment for moment in moments if moment.update < now.update]


def lag_history_numbers(moments: Sequence[MeasuredMoment], now: MeasuredMoment) -> Comparison:
    """One row for every moment: factor per step, factor at the lag of :func:`common_lag`, and share of saturated units."""
    past = _before(moments, now)
    lag = common_lag(now.experiment, *(moment.experiment for moment in past))
    rows = [_row(_("untrained") if moment.update == 0 else count(moment.update), moment.experiment, lag) for moment in past]
    return {
        "columns": [_("per step"), _("{lag} steps", lag=lag), _("saturated")],
        "rows": [*rows, _row(_("now, {update}", update=count(now.update)), now.experiment, lag)],
        "sentence": _sentence(past, now),
        "note": _(
            "medians over the same {T} steps of text for all of them; per step: {fitted}",
            T=now.experiment.T,
            fitted=fitted_over(now.experiment.curve),
        ),
    }


def _row(name: str, experiment: Experiment, lag: int) -> list[str]:
    left = number(float(experiment.relative[lag]), 2) if lag else "–"
    return [name, f"× {number(experiment.rate)}", left, percent(experiment.saturated)]


def _sentence(past: Sequence[MeasuredMoment], now: MeasuredMoment) -> str:
    if not past:
        return _("Nothing is learnt yet: press play, and earlier moments stay here to be compared.")
    before, after = past[0].experiment.rate, now.experiment.rate
    if math.isnan(before) or math.isnan(after):
        return _("One of these networks has no gradient that could be compared.")
    numbers = {"before": number(before), "after": number(after), "saturated": percent(now.experiment.saturated)}
    if after > 1:
        return _(
            "Before training a step back left {before} of a gradient, now it leaves {after}: it grows, with {saturated} of the "
            "units saturated.",
            **numbers,
        )
    if after < before:
        return _(
            "Before training a step back left {before} of a gradient, now it leaves {after}: it fades faster, with {saturated} "
            "of the units saturated.",
            **numbers,
        )
    return _(
        "Before training a step back left {before} of a gradient, now it leaves {after}: it fades slower, with {saturated} of "
        "the units saturated.",
        **numbers,
    )
