"""Where the gradient of W_hh comes from: an item for each loss and each step that its gradient passes, as triangle and bars."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Float

from core.analysis.gradient_flow import RecurrentShares
from core.config.language import gettext as _, ngettext
from pages.content.notation import FIRST_SOURCE, in_notation
from pages.figures.parts.chart import LEGEND_ABOVE, Figure, below_two_lines, layout
from pages.figures.parts.numbers import percent
from pages.figures.parts.style import colour, escape
from pages.figures.parts.symbols import visible
from pages.figures.parts.triangle import Triangle, sums_below, triangle_drawing

HEIGHT = 300  # px
TARGET_SHARE = 0.9  # share of the gradient; the sentence states the smallest lag within which it arises
LETTERS = 26  # steps, at most, whose tokens fit side by side under the bars


def shares_triangle(shares: RecurrentShares, inputs: Sequence[str], targets: Sequence[str]) -> Triangle:
    """The size of every item; and below, for every step, the size of the sum of its items beside the sum of their sizes."""
    return triangle_drawing(shares.items, inputs, targets) | {"below": sums_below(shares.by_step, shares.items.sum(axis=0))}


def shares_figure(shares: RecurrentShares, inputs: Sequence[str], targets: Sequence[str], notation: str = FIRST_SOURCE) -> Figure:
    """Two bars for every step, in per cent of dW_hh: the share of its loss, and the share added at this step by all losses."""
    T = len(shares.shares)
    by_loss, by_step = (100 * shares.shares.sum(axis=axis) for axis in (1, 0))
    point = {"step": "%{x}", "token": "%{customdata}", "share": "%{y:.1f}"}
    given = _("given by the loss at {step} ({token}): {share} %", **point)
    added = _("added at step {step} ({token}): {share} %", **point)
    edge = {"color": colour("text"), "width": 1.5}
    bars = [
        _bars(_("given by the loss at"), given, by_loss, targets, {"color": colour("backward")}),
        _bars(_("added at step"), added, by_step, inputs, {"color": colour("surface"), "line": edge}),
    ]
    ticks = list(range(1, T + 1)) if T <= LETTERS else list(range(5, T + 1, 5))
    letters = T <= LETTERS and all(len(symbol) == 1 for symbol in inputs)
    words = [f"{t}<br>{escape(visible(inputs[t - 1]))}" if letters else str(t) for t in ticks]
    figure = layout(_("step"), in_notation(_("share of dW_hh, %"), notation), height=HEIGHT, right=8)
    figure["xaxis"] |= {"tickvals": ticks, "ticktext": words, "range": [0.4, T + 0.6]}
    below_two_lines(figure)
    return {"data": bars, "layout": figure | {"barmode": "group", "bargap": 0.25, "showlegend": True, "legend": LEGEND_ABOVE}}


def _bars(
    name: str, hover: str, values: Float[np.ndarray, " T"], symbols: Sequence[str], marker: dict[str, Any]
) -> dict[str, Any]:
    return {
        "type": "bar",
        "name": name,
        "x": list(range(1, len(values) + 1)),
        "y": [round(value, 2) if math.isfinite(value) else None for value in values.tolist()],
        "marker": marker,
        "customdata": [escape(visible(symbol)) for symbol in symbols],
        "hovertemplate": f"{hover}<extra></extra>",
    }


def shares_sentence(shares: RecurrentShares) -> str:
    """The lag within which most of dW_hh arises, and the share that points the other way, in a sentence."""
    if not np.isfinite(shares.shares).all():
        return _("There is no gradient to share out: it is exactly zero, or no longer finite.")
    lag, share = shares.lag_of_share(TARGET_SHARE)
    numbers = {"near": percent(share), "lag": lag, "against": percent(shares.against)}
    if shares.against < 0.005:
        return ngettext(
            "{near} of dW_hh comes from losses at most {lag} step later.",
            "{near} of dW_hh comes from losses at most {lag} steps later.",
            lag,
            **numbers,
        )
    return ngettext(
        "{near} of dW_hh comes from losses at most {lag} step later; {against} points the other way and cancels.",
        "{near} of dW_hh comes from losses at most {lag} steps later; {against} points the other way and cancels.",
        lag,
        **numbers,
    )
