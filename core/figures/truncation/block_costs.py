"""A text of a thousand steps, back-propagated through as one window or in blocks; and what both cost.

Source: Deep Learning from Scratch 2, section 5.2.4, where a text of 1000 steps is cut every ten.
"""

from collections.abc import Sequence
from typing import Any

from core.analysis.cost import Blocks
from core.config.language import gettext as _
from core.config.language import ngettext
from core.figures.parts.axes import Axis
from core.figures.parts.chart import BARE, LEGEND, Figure, layout
from core.figures.parts.numbers import amount, count, number
from core.figures.parts.style import colour
from core.figures.parts.tables import Comparison, Grid, cell, grid, row

HEIGHT = 190  # px
TICKS = (1, 200, 400, 600, 800, 1000)
ROWS = (3.0, 1.0)  # where one window and the blocks stand
APART = 0.35  # of a row: between the way forward and the way back


def long_text_figure(T: int, tau: int) -> Figure:
    """Two rows over T steps, about a pixel each: the state runs on in both, the gradient goes back within a block alone."""
    figure = layout(_("step"), "", height=HEIGHT, right=16)
    x = Axis(_("step"), -4, T + 5, log=False, ticks=[(float(step), count(step)) for step in TICKS])
    names = [_("one window of {T}", T=count(T)), _("blocks of τ = {tau}", tau=count(tau))]
    figure["xaxis"] |= x.to_plotly()
    figure["yaxis"] |= BARE | {"range": [0, 4], "tickvals": list(ROWS), "ticktext": names}
    figure |= {"showlegend": True, "legend": LEGEND, "margin": figure["margin"] | {"l": 160, "t": 30}}
    data = [
        _way(_("forward: the state is handed on"), "forward", T, T, ROWS[0] + APART),
        _way(_("backward: how far a gradient goes"), "backward", T, T, ROWS[0] - APART),
        _way("forward", "forward", T, T, ROWS[1] + APART),
        _way("backward", "backward", T, tau, ROWS[1] - APART),
    ]
    for again in data[2:]:
        again["showlegend"] = False
    return {"data": data, "layout": figure}


def _way(name: str, tone: str, T: int, length: int, y: float) -> dict[str, Any]:
    """Stretches of ``length`` steps each, with a gap wherever one ends."""
    starts = range(1, T + 1, length)
    ends = [[start - 0.3, min(start + length - 1, T) + 0.3, None] for start in starts]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": [place for stretch in ends for place in stretch],
        "y": [y, y, None] * len(starts),
        "line": {"color": colour(tone), "width": 9},
        "hoverinfo": "skip",
    }


def long_text_numbers(T: int, whole: Blocks, cut: Blocks) -> Comparison:
    """The table beside it, and what it comes to."""
    both = (whole, cut)
    sentence = _("Nothing is cut: both are the same.")
    if cut.updates > 1:
        sentence = _(
            "One window keeps {times} times as much in memory, and the weights change once.",
            times=number(whole.bytes / cut.bytes, 2),
        )
    return {
        "columns": [_("one window"), f"τ = {count(cut.tau)}"],
        "rows": [
            [_("a loss reaches back, at most"), *(_steps(one.reaches) for one in both)],
            [_("stored for the backward pass"), *(f"{amount(one.bytes)}B" for one in both)],
            [_("{T} steps forward and back", T=count(T)), *(f"{number(1e3 * one.seconds)} ms" for one in both)],
            [_("changes of the weights"), *(count(one.updates) for one in both)],
        ],
        "sentence": sentence,
        "lines": 1,
        "note": _("bytes of the states and scores; time measured on short windows, and the straight line through them"),
    }


def price_grid(T: int, N: int, priced: Sequence[Blocks], present: int) -> Grid:
    """What every truncation costs, the ``present`` one strong: time per token of the N rows, and bytes kept for the way back."""
    per_token = [one.seconds / (T * N) for one in priced]
    dearest, largest = max(per_token), max(one.bytes for one in priced)
    rows = [
        row(
            f"τ = {count(one.tau)}",
            [
                cell(f"{number(1e6 * seconds)} µs", bar=seconds / dearest),
                cell(f"{amount(one.bytes)}B", bar=one.bytes / largest),
                cell(count(one.updates)),
            ],
            tone="strong" if one.tau == present else "",
        )
        for one, seconds in zip(priced, per_token, strict=True)
    ]
    updates = _("updates in {T} steps", T=count(T))
    head = [_("updates in blocks"), _("time per token"), _("stored for the backward pass"), updates]
    return grid(head, rows, label=_("What a truncation costs"))


def _steps(many: int) -> str:
    return ngettext("{n} step", "{n} steps", many, n=count(many))


def long_text_label(T: int, cut: Blocks) -> str:
    """The drawing in words."""
    return _(
        "{T} steps: as one window, and in {blocks} blocks of {tau}.", T=count(T), blocks=count(cut.updates), tau=count(cut.tau)
    )
