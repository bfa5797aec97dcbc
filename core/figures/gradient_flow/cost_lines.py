"""What a window of T steps costs: measured times and bytes, each with the straight line through them."""

import math
from collections.abc import Sequence

from core.analysis.cost import Cost, straight_lines
from core.figures.parts.axes import DOTS, axis_from_zero, linear_axis
from core.figures.parts.chart import Curve, Figure, chart
from core.figures.parts.numbers import number

HEIGHT = 290  # px


def time_figure(costs: Sequence[Cost]) -> Figure:
    """Milliseconds forward and backward, dots, and the fitted lines."""
    return _figure(costs, "milliseconds, median", 1e3, {"forward": "forward", "backward": "backward"})


def memory_figure(costs: Sequence[Cost]) -> Figure:
    """Megabytes of the arrays that forward keeps for backward, and that backward makes."""
    return _figure(costs, "megabytes", 1e-6, {"forward": "forward_bytes", "backward": "backward_bytes"})


def _figure(costs: Sequence[Cost], title: str, unit: float, columns: dict[str, str]) -> Figure:
    """``unit`` is how many of what the title names make a second or a byte; ``columns`` are those of the costs, by direction."""
    lengths, lines, curves = [cost.T for cost in costs], straight_lines(costs), []
    ends = [lengths[0], lengths[-1]]
    for name, column in columns.items():
        line, dash = getattr(lines, column), "solid" if name == "backward" else "6px 6px"
        label = f"{name}<br>{number(unit * line.per_step, 2)} per step"
        curves.append(Curve(f"{name}, fitted", ends, [unit * line.at(T) for T in ends], name, dash, label=label))
        curves.append(Curve(name, lengths, [unit * getattr(cost, column) for cost in costs], name, mode="markers"))
    y = axis_from_zero(title, (value for curve in curves for value in curve.y))
    return chart(curves, linear_axis("T, steps of the window", lengths, DOTS), y, height=HEIGHT)


def cost_words(costs: Sequence[Cost]) -> str:
    """What the lines say, in one sentence."""
    forward, backward, memory, _ = (line.per_step for line in straight_lines(costs))
    times = backward / forward if forward > 0 else math.nan
    return (
        f"Every step costs {number(1e3 * forward, 2)} ms forward and {number(1e3 * backward, 2)} ms backward "
        f"({number(times, 2)} times as much), and {number(memory / 1e3)} kB stored for the backward pass: "
        f"slopes of the lines, fitted over T = {costs[0].T} to {costs[-1].T}."
    )
