"""What a window of T steps costs: measured times and bytes, each with the straight line through them."""

import math
from collections.abc import Sequence

from core.analysis.cost import Cost, straight_lines
from core.config.language import gettext as _
from core.config.language import lazy_gettext
from core.figures.parts.axes import DOTS, axis_from_zero, linear_axis
from core.figures.parts.chart import Curve, Figure, chart
from core.figures.parts.numbers import number

HEIGHT = 290  # px
WAYS = {"forward": lazy_gettext("forward"), "backward": lazy_gettext("backward")}  # by their tones


def time_figure(costs: Sequence[Cost]) -> Figure:
    """Milliseconds forward and backward, dots, and the fitted lines."""
    return _figure(costs, _("milliseconds, median"), 1e3, {"forward": "forward", "backward": "backward"})


def memory_figure(costs: Sequence[Cost]) -> Figure:
    """Megabytes of the arrays that forward keeps for backward, and that backward makes."""
    return _figure(costs, _("megabytes"), 1e-6, {"forward": "forward_bytes", "backward": "backward_bytes"})


def _figure(costs: Sequence[Cost], title: str, unit: float, columns: dict[str, str]) -> Figure:
    """``unit`` is how many of what the title names make a second or a byte; ``columns`` are those of the costs, by direction."""
    lengths, lines, curves = [cost.T for cost in costs], straight_lines(costs), []
    ends = [lengths[0], lengths[-1]]
    for tone, column in columns.items():
        line, dash, way = getattr(lines, column), "solid" if tone == "backward" else "6px 6px", _(WAYS[tone])
        label = _("{way}<br>{cost} per step", way=way, cost=number(unit * line.per_step, 2))
        curves.append(Curve(_("{way}, fitted", way=way), ends, [unit * line.at(T) for T in ends], tone, dash, label=label))
        curves.append(Curve(way, lengths, [unit * getattr(cost, column) for cost in costs], tone, mode="markers"))
    y = axis_from_zero(title, (value for curve in curves for value in curve.y))
    return chart(curves, linear_axis(_("T, steps of the window"), lengths, DOTS), y, height=HEIGHT)


def cost_words(costs: Sequence[Cost]) -> str:
    """What the lines say, in one sentence."""
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
