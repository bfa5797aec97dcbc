"""What a window of T steps costs: measured times and bytes, each with the straight line through them."""

from collections.abc import Sequence
from typing import Any

from core.analysis.cost import Cost, Line, straight_line
from core.figures.parts.curves import Curve, curves_figure
from core.figures.parts.numbers import number

HEIGHT = 290  # px
STEPS = "T, steps of the window"


def time_figure(costs: Sequence[Cost]) -> dict[str, Any]:
    """Milliseconds forward and backward, dots, and the fitted lines."""
    return _figure(
        costs,
        "milliseconds, median",
        {"forward": [1e3 * c.forward for c in costs], "backward": [1e3 * c.backward for c in costs]},
    )


def memory_figure(costs: Sequence[Cost]) -> dict[str, Any]:
    """Megabytes of the arrays that forward keeps for backward, and that backward makes."""
    forward, backward = [c.forward_bytes / 1e6 for c in costs], [c.backward_bytes / 1e6 for c in costs]
    return _figure(costs, "megabytes", {"forward": forward, "backward": backward})


def _figure(costs: Sequence[Cost], title: str, values: dict[str, list[float]]) -> dict[str, Any]:
    lengths = [cost.T for cost in costs]
    curves = []
    for name, measured in values.items():
        line = straight_line(lengths, measured)
        ends = [lengths[0], lengths[-1]]
        fitted = [line.start + line.per_step * T for T in ends]
        dash = "solid" if name == "backward" else "6px 6px"
        curves.append(
            Curve(f"{name}, fitted", ends, fitted, tone=name, dash=dash, label=f"{name}<br>{number(line.per_step, 2)} per step")
        )
        curves.append(Curve(name, lengths, measured, tone=name, dots=True))
    return curves_figure(curves, x_title=STEPS, y_title=title, log=False, height=HEIGHT)


def cost_words(costs: Sequence[Cost]) -> str:
    """What the lines say, in one sentence."""
    forward, backward, memory = _lines(costs)
    times = backward.per_step / forward.per_step if forward.per_step > 0 else float("nan")
    return (
        f"Every step costs {number(1e3 * forward.per_step, 2)} ms forward and {number(1e3 * backward.per_step, 2)} ms backward "
        f"({number(times, 2)} times as much), and {number(memory.per_step / 1e3)} kB kept for the way back: slopes of the lines."
    )


def _lines(costs: Sequence[Cost]) -> tuple[Line, Line, Line]:
    lengths = [cost.T for cost in costs]
    columns = ([c.forward for c in costs], [c.backward for c in costs], [float(c.forward_bytes) for c in costs])
    forward, backward, memory = (straight_line(lengths, column) for column in columns)
    return forward, backward, memory
