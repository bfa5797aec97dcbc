"""Singular values of d h_T / d h_(T-s) as the span s grows, the share of saturated units, and why the network is no LSTM."""

import math

import numpy as np

from core.analysis.jacobian import SATURATED_BELOW, Spectrum
from core.config.language import gettext as _, lazy_gettext, sentences
from pages.figures.parts.axes import linear_axis, log_axis
from pages.figures.parts.chart import Curve, Figure, chart
from pages.figures.parts.numbers import number, percent
from pages.figures.parts.tables import Comparison, Panel, panel

QUARTERS = (lazy_gettext("largest"), lazy_gettext("upper quarter"), lazy_gettext("middle"), lazy_gettext("lower quarter"))
DASHES = dict(zip(QUARTERS, ("solid", "18px 4px", "11px 5px", "6px 6px"), strict=True))
FORMULA = [["∂h_t/∂h_{t−1} = W_{hh} · diag(φ'(a_t))", ""]]
REASON = lazy_gettext(
    "At every step back a gradient passes φ' and W_hh once more: its size is multiplied by a factor. Many factors below 1 make "
    "nearly 0, so what lies far back is hardly learnt."
)
REMEDY = lazy_gettext(
    "An LSTM (Hochreiter and Schmidhuber, 1997) has a second state, the memory cell. A step does not compute it anew: it adds to "
    "it. Along this path the factor per step is a gate between 0 and 1 (Gers and others, 2000), which can learn to stay near 1. "
    "Its other paths pass weights as here, so it can still explode, and it is clipped as well."
)
LEFT_OUT = lazy_gettext(
    "It is left out because the weakness itself is what there is to see here, and because its step has four times the weights of "
    "this one. Where a text needs memory over hundreds of steps, take an LSTM, a GRU or attention, not this network."
)


def spans_of(T: int, many: int) -> list[int]:
    """At most ``many`` spans, about evenly spaced on a logarithmic scale from 1 to T, both included."""
    places = np.unique(np.round(np.geomspace(1, T, min(T, many))).astype(int))
    return [int(span) for span in places]


def jacobian_figure(s: Spectrum) -> Figure:
    """The singular value at every quarter of the spectrum over the span s (for a small state fewer curves, without duplicates),
    and the spectral radius of W_hh to the power of s."""
    with np.errstate(all="ignore"):
        powers = [float(np.power(s.radius, span)) for span in s.spans]
    name, label = _("radius {radius} to the power s", radius=number(s.radius)), _("radius<br>to the s")
    curves = [Curve(name, s.spans, powers, "muted", "2px 5px", 2, label=label)]
    ranked = {which * len(s.logs[0]) // 4: name for which, name in reversed(list(enumerate(QUARTERS)))}
    for rank, quarter in sorted(ranked.items()):
        values = [10.0 ** float(logs[rank]) if abs(logs[rank]) < 300 else math.nan for logs in s.logs]  # nan: out of range
        label, width = (f"<b>{_(quarter)}</b>", 4.5) if rank == 0 else (_(quarter), 2.5)
        curves.append(Curve(_(quarter), s.spans, values, width=width, dash=DASHES[quarter], label=label))
    y = log_axis(_("singular values of ∂hₜ/∂hₜ₋ₛ (log scale)"), (value for curve in curves for value in curve.y))
    return chart(curves, linear_axis(_("span s, steps"), s.spans), y)


def _sentence(s: Spectrum) -> str:
    """A summary of the numbers in one sentence."""
    if not np.isfinite(s.logs[0][0]):
        return _("These Jacobians have numbers that are zero or not finite: there is nothing to compare.")
    first, last = (10.0 ** float(min(max(logs[0], -300), 300)) for logs in (s.logs[0], s.logs[-1]))
    if len(s.spans) == 1:
        return _(
            "The last step multiplies a change of the state by {first} at most; longer spans need a longer text.",
            first=number(first, 2),
        )
    if s.logs[-1][0] == -math.inf:
        return _("Over {steps} steps every change of the state is lost.", steps=s.spans[-1])
    return _(
        "The last step multiplies a change of the state by {first} at most, all {steps} steps by {last}; {saturated} of the "
        "units are saturated.",
        first=number(first, 2),
        steps=s.spans[-1],
        last=number(last, 2),
        saturated=percent(float(s.saturated.mean())),
    )


def jacobian_numbers(s: Spectrum) -> Comparison:
    """The table beside the chart."""
    H, known = len(s.logs[0]), int(np.isfinite(s.logs[-1]).sum())
    note = _("saturated: φ' below {limit} of its largest value", limit=f"{SATURATED_BELOW:g}")
    if known < H:
        note = _(
            "saturated: φ' below {limit} of its largest value; after {steps} steps {lost} of {H} are too small to tell from "
            "rounding",
            limit=f"{SATURATED_BELOW:g}",
            steps=s.spans[-1],
            lost=H - known,
            H=H,
        )
    return {
        "columns": [""],
        "rows": [
            [_("W_hh: spectral radius"), number(s.radius)],
            [_("W_hh: largest singular value"), number(s.stretch)],
            [_("the last step: largest singular value"), number(linear(s.logs[0][0]))],
            [_("all {steps} steps: largest", steps=s.spans[-1]), number(linear(s.logs[-1][0]), 2)],
            [_("per step, on average"), f"× {number(linear(s.logs[-1][0] / s.spans[-1]))}"],
            [_("units saturated, first step"), percent(float(s.saturated[0]))],
            [_("units saturated, last step"), percent(float(s.saturated[-1]))],
        ],
        "sentence": _sentence(s),
        "note": note,
    }


def linear(log: float) -> float:
    """10 to the power ``log``: infinite if that is too large for a float, nan for nan."""
    return 10.0 ** float(log) if log < 300 else math.inf if log >= 300 else math.nan


def why_no_lstm(s: Spectrum | None = None) -> Panel:
    """A panel on why the network is no LSTM; with measured factors if ``s`` is given and finite."""
    measured = []
    if s and math.isfinite(s.logs[-1][0]):
        factor, whole = linear(s.logs[-1][0] / s.spans[-1]), linear(s.logs[-1][0])
        measured = [
            (_(" Here the factor is {factor} per step", factor=number(factor)), "strong"),
            sentences(
                _(" for the change that lasts best, {whole} over all {steps} steps.", whole=number(whole, 2), steps=s.spans[-1]),
                _("“What if” shows the factor for the loss."),
            ),
        ]
    return panel(_("Why no LSTM here"), [_(REASON), *measured], _(REMEDY), _(LEFT_OUT))
