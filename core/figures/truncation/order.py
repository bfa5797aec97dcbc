"""Windows in order against windows shuffled, the state carried in both: what held-out text says of either."""

import math
from collections.abc import Mapping, Sequence

from core.figures.parts.chart import end_labels, layout, line
from core.figures.parts.numbers import number
from core.figures.parts.style import colour
from core.training.history import Point

HEIGHT = 320  # px
ZERO_AT = 0.6  # where the untrained network stands on a logarithmic axis, in updates
LOOK = {"in order": ("forward", "solid"), "shuffled": ("cut", "6px 4px")}


def order_figure(judged: Mapping[str, Sequence[Point]], *, chosen: str, floor: float | None, updates: int, V: int) -> dict:
    """Two curves over updates, both axes logarithmic; the chosen one is the thicker."""
    seen = [math.log10(point.perplexity) for points in judged.values() for point in points if math.isfinite(point.perplexity)]
    ends = [math.log10(0.97 * floor)] if floor else []
    low, high = min([*seen, *ends, math.log10(V)]) - 0.02, max([*seen, math.log10(V)]) + 0.04
    data, names = [], []
    for name, points in judged.items():
        tone, dash = LOOK[name]
        y = [_height(point) for point in points]
        data.append(
            line([_x(p) for p in points], y, name, colour(tone), dash=dash, width=4.5 if name == chosen else 2.5)
            | {"customdata": [[p.update, number(p.perplexity)] for p in points], "hovertemplate": HOVER.replace("NAME", name)}
        )
        if y and y[-1] is not None:
            names.append((f"<b>{name}</b> {number(points[-1].perplexity)}", colour(tone), (y[-1] - low) / (high - low)))
    chart = layout("updates of each (log scale)", "perplexity, held-out in order (log scale)", height=HEIGHT)
    if floor:
        names.append((f"best possible {number(floor)}", colour("positive"), (math.log10(floor) - low) / (high - low)))
        y = math.log10(floor)
        dashes = {"color": colour("positive"), "width": 2, "dash": "12px 3px 2px 3px"}
        chart["shapes"] = [{"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": y, "y1": y, "line": dashes}]
    decades = range(math.ceil(math.log10(updates)) + 1)
    chart["xaxis"] |= {
        "range": [math.log10(ZERO_AT) - 0.05, math.log10(updates) + 0.02],
        "tickvals": [math.log10(ZERO_AT), *decades],
        "ticktext": ["0", *[str(10**decade) for decade in decades]],
    }
    ticks = [value for value in _ladder() if low <= math.log10(value) <= high]
    chart["yaxis"] |= {"range": [low, high], "tickvals": list(map(math.log10, ticks)), "ticktext": [f"{v:g}" for v in ticks]}
    chart["annotations"] = end_labels(names, HEIGHT)
    return {"data": data, "layout": chart}


HOVER = "NAME, update %{customdata[0]}: <b>%{customdata[1]}</b><extra></extra>"


def _ladder() -> list[float]:
    return [1, 1.2, 1.4, 1.6, 1.8, 2, 3, 4, 5, 7, *[m * 10**e for e in (1, 2, 3, 4) for m in (1, 2, 5)]]


def _x(point: Point) -> float:
    return round(math.log10(max(point.update, ZERO_AT)), 4)


def _height(point: Point) -> float | None:
    return round(math.log10(point.perplexity), 5) if math.isfinite(point.perplexity) else None


def order_label(judged: Mapping[str, Sequence[Point]]) -> str:
    """The chart in words."""
    return ", ".join(f"{name}: perplexity {number(points[-1].perplexity)}" for name, points in judged.items()) + "."
