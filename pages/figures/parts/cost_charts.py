"""The cost of backpropagation through time: measured windows of T steps, and a text as one window or in blocks.

Source: Deep Learning from Scratch 2, section 5.2.4, where a text of 1000 steps is cut every ten."""

import math
from collections.abc import Sequence
from typing import Any

from core.analysis.cost import BlockCost, Cost, straight_lines
from core.config.language import gettext as _, lazy_gettext, ngettext
from pages.figures.parts.axes import DOT_MARGIN, Axis, axis_from_zero, linear_axis
from pages.figures.parts.chart import BARE, LEGEND_ABOVE, Curve, Figure, chart, layout, scatter
from pages.figures.parts.numbers import amount, count, number
from pages.figures.parts.style import colour
from pages.figures.parts.tables import Comparison, Grid, cell, grid, row

CHART_HEIGHT = 290  # px
PASS_NAMES = {"forward": lazy_gettext("forward"), "backward": lazy_gettext("backward")}  # names by colour token
WINDOW_HEIGHT = 190  # px
TICKS = (1, 200, 400, 600, 800, 1000)
ROWS = (3.0, 1.0)  # y of the row of the single window and of the row of the blocks
LINE_OFFSET = 0.35  # distance of the forward line above, and of the backward line below, the middle of a row


def time_figure(costs: Sequence[Cost]) -> Figure:
    """The chart of milliseconds of both passes: measurements as dots, with fitted lines."""
    return _figure(costs, _("milliseconds, median"), 1e3, {"forward": "forward", "backward": "backward"})


def memory_figure(costs: Sequence[Cost]) -> Figure:
    """The chart of megabytes: arrays stored by the forward pass, and arrays computed by the backward pass."""
    return _figure(costs, _("megabytes"), 1e-6, {"forward": "forward_bytes", "backward": "backward_bytes"})


def _figure(costs: Sequence[Cost], title: str, unit: float, columns: dict[str, str]) -> Figure:
    """``unit`` converts seconds or bytes to the unit in ``title``; ``columns`` are fields of ``Cost`` by colour token."""
    lengths, lines, curves = [cost.T for cost in costs], straight_lines(costs), []
    ends = [lengths[0], lengths[-1]]
    for tone, column in columns.items():
        line, dash, way = getattr(lines, column), "solid" if tone == "backward" else "6px 6px", _(PASS_NAMES[tone])
        label = _("{way}<br>{cost} per step", way=way, cost=number(unit * line.per_step, 2))
        curves.append(Curve(_("{way}, fitted", way=way), ends, [unit * line.at(T) for T in ends], tone, dash, label=label))
        curves.append(Curve(way, lengths, [unit * getattr(cost, column) for cost in costs], tone, mode="markers"))
    y = axis_from_zero(title, (value for curve in curves for value in curve.y))
    return chart(curves, linear_axis(_("T, steps of the window"), lengths, DOT_MARGIN), y, height=CHART_HEIGHT)


def cost_words(costs: Sequence[Cost]) -> str:
    """The slopes of the fitted lines in one sentence."""
    forward, backward, memory = (line.per_step for line in straight_lines(costs)[:3])
    times = backward / forward if forward > 0 else math.nan
    return _(
        "Every step costs {forward} ms forward and {backward} ms backward ({times} times as much), and {memory} kB stored for "
        "the backward pass: slopes of the lines, fitted over T = {first} to {last}.",
        forward=number(1e3 * forward, 2),
        backward=number(1e3 * backward, 2),
        times=number(times, 2),
        memory=number(memory / 1e3),
        first=costs[0].T,
        last=costs[-1].T,
    )


def long_text_figure(T: int, tau: int) -> Figure:
    """Two rows over T steps, about a pixel each: both carry the state on; gradients flow back within a block only."""
    figure = layout(_("step"), "", height=WINDOW_HEIGHT, right=16)
    x = Axis(_("step"), -4, T + 5, log=False, ticks=[(float(step), count(step)) for step in TICKS])
    names = [_("one window of {T}", T=count(T)), _("blocks of τ = {tau}", tau=count(tau))]
    figure["xaxis"] |= x.to_plotly()
    figure["yaxis"] |= BARE | {"range": [0, 4], "tickvals": list(ROWS), "ticktext": names}
    figure |= {"showlegend": True, "legend": LEGEND_ABOVE, "margin": figure["margin"] | {"l": 160, "t": 30}}
    data = [
        _segments(_("forward: the state is handed on"), "forward", T, T, ROWS[0] + LINE_OFFSET),
        _segments(_("backward: how far a gradient goes"), "backward", T, T, ROWS[0] - LINE_OFFSET),
        _segments("forward", "forward", T, T, ROWS[1] + LINE_OFFSET),
        _segments("backward", "backward", T, tau, ROWS[1] - LINE_OFFSET),
    ]
    for again in data[2:]:
        again["showlegend"] = False
    return {"data": data, "layout": figure}


def _segments(name: str, tone: str, T: int, length: int, y: float) -> dict[str, Any]:
    """A horizontal line in segments of ``length`` steps, with gaps between them."""
    starts = range(1, T + 1, length)
    ends = [[start - 0.3, min(start + length - 1, T) + 0.3, None] for start in starts]
    x = [place for stretch in ends for place in stretch]
    return scatter(name, x, [y, y, None] * len(starts), line={"color": colour(tone), "width": 9})


def long_text_numbers(T: int, whole: BlockCost, cut: BlockCost) -> Comparison:
    """The table beside the drawing, with a sentence that compares the memory."""
    both = (whole, cut)
    reaches = [ngettext("{n} step", "{n} steps", one.reaches, n=count(one.reaches)) for one in both]
    sentence = _("Nothing is cut: both are the same.")
    if cut.updates > 1:
        sentence = _(
            "One window keeps {times} times as much in memory, and the weights change once.",
            times=number(whole.bytes / cut.bytes, 2),
        )
    return {
        "columns": [_("one window"), f"τ = {count(cut.tau)}"],
        "rows": [
            [_("a loss reaches back, at most"), *reaches],
            [_("stored for the backward pass"), *(f"{amount(one.bytes)}B" for one in both)],
            [_("{T} steps forward and back", T=count(T)), *(f"{number(1e3 * one.seconds)} ms" for one in both)],
            [_("changes of the weights"), *(count(one.updates) for one in both)],
        ],
        "sentence": sentence,
        "lines": 1,
        "note": _("bytes of the states and scores; time measured on short windows, and the straight line through them"),
    }


def price_grid(T: int, N: int, priced: Sequence[BlockCost], present: int) -> Grid:
    """The cost of every truncation, ``present`` in bold: time per token of N rows, bytes stored, and updates."""
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


def long_text_label(T: int, cut: BlockCost) -> str:
    """The alternative text of the drawing."""
    return _(
        "{T} steps: as one window, and in {blocks} blocks of {tau}.", T=count(T), blocks=count(cut.updates), tau=count(cut.tau)
    )
