"""Windows in order against windows shuffled, the state carried in both: what held-out text says of either."""

import math
from collections.abc import Mapping, Sequence

from core.figures.parts.axes import ladder, updates_axis
from core.figures.parts.chart import BEST, Curve, Figure, chart
from core.figures.parts.numbers import number
from core.training.curves import Point

TONES = {"in order": ("forward", "solid"), "shuffled": ("cut", "6px 4px")}


def order_figure(
    judged: Mapping[str, Sequence[Point]], *, chosen: str, floor: float | None, updates: int, V: int, on_training_text: bool
) -> Figure:
    """Two curves over updates, both axes logarithmic; the chosen one is the thicker."""
    x = updates_axis(updates, "updates of each (log scale)")
    curves = [_curve(name, points, chosen) for name, points in judged.items()]
    seen = [value for curve in curves for value in curve.y if math.isfinite(value)] + [float(V)]
    if floor:
        label = f"best possible {number(floor)}"
        curves.append(Curve("best possible", x.across(), [floor] * 2, "positive", BEST, 2, label=label, said=[label] * 2))
        seen.append(0.97 * floor)
    text = "training text" if on_training_text else "held-out"
    y = ladder(f"perplexity, {text} in order (log scale)", 0.955 * min(seen), 1.1 * max(seen))
    return chart(curves, x, y, right=128)


def _curve(name: str, points: Sequence[Point], chosen: str) -> Curve:
    perplexities = [point.perplexity for point in points]
    label = f"<b>{name}</b> {number(perplexities[-1])}" if points else ""
    tone, dash = TONES[name]
    return Curve(name, [point.update for point in points], perplexities, tone, dash, 4.5 if name == chosen else 2.5, label=label)


def order_label(judged: Mapping[str, Sequence[Point]]) -> str:
    """The chart in words."""
    return ", ".join(f"{name}: perplexity {number(points[-1].perplexity)}" for name, points in judged.items()) + "."
