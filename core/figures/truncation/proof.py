"""The proof, drawn: the bound over the window length, what was measured on it, and the task with the answers a border hides."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Integer

from core.figures.parts.chart import MARGIN, layout
from core.figures.parts.numbers import count, number, percent
from core.figures.parts.style import colour

HEIGHT = 296  # px of the chart
WIDTH, GUTTER, RIGHT = 972, 92, 14  # px of the task
TASK_HEIGHT = 156
TARGET_Y, INPUT_Y, BOX = 24, 110, 30  # middles of the rows, px; side of an input box
STEPS = 22  # of the task that are drawn


class Dot(NamedTuple):
    """One network measured: for windows of ``length``, after ``tokens``; ``finished``: it has read its share."""

    length: int
    perplexity: float
    tokens: int
    finished: bool


def proof_figure(bounds: Mapping[int, float], dots: Sequence[Dot], *, k: int, present: int, earlier: Sequence[Dot] = ()) -> dict:
    """The bound over tau as a line; what held-out text says of each network as a dot, hollow while it still learns."""
    chart = layout("truncation length τ = window (steps)", "perplexity, held-out", height=HEIGHT, right=24)
    chart["margin"] = MARGIN | {"t": 8, "r": 24}
    lengths = list(bounds)
    ticks = sorted({1, k, k + 1, *(t for t in (8, 12, 16, 20) if abs(t - k) > 1 and t != k + 2), lengths[-1]})
    high = max([2.16, *[1.04 * dot.perplexity for dot in dots if math.isfinite(dot.perplexity) and dot.perplexity < 4]])
    chart["xaxis"] |= {
        "range": [0.3, lengths[-1] + 0.7],
        "tickvals": ticks,
        "ticktext": [_tick(t, k) for t in ticks],
        "tickangle": 0,
    }
    chart["yaxis"] |= {"range": [0.95, high], "tickvals": [1, 1.25, 1.5, 1.75, 2]}
    chart["shapes"] = [_step(k)]
    chart["annotations"] = [
        _note("← τ ≤ k: nothing can be learnt", x=k + 0.75, y=2.0),
        _note("← τ ≥ k + 1: it can, down to 2^(k/τ)", x=k + 2.2, y=round(bounds.get(k + 2, 1.0), 3) + 0.1),
    ]
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "lines",
                "name": "bound",
                "x": lengths,
                "y": [round(bound, 5) for bound in bounds.values()],
                "hovertemplate": "τ = %{x}: no training can get below <b>%{y:.4f}</b><extra></extra>",
                "line": {"color": colour("text"), "width": 3},
            },
            _markers("earlier", earlier, 8, colour("ghost"), colour("background"), 1),
            _markers("still learning", [dot for dot in dots if not dot.finished], 13, colour("background"), colour("forward"), 3),
            _markers("measured", [dot for dot in dots if dot.finished], 14, colour("forward"), colour("background"), 2),
            _markers("present", [dot for dot in dots if dot.length == present], 26, "rgba(0,0,0,0)", colour("forward"), 3),
        ],
        "layout": chart,
    }


def _markers(name: str, dots: Sequence[Dot], size: int, fill: str, edge: str, width: int) -> dict[str, Any]:
    finite = [dot for dot in dots if math.isfinite(dot.perplexity)]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": [dot.length for dot in finite],
        "y": [round(dot.perplexity, 5) for dot in finite],
        "customdata": [count(dot.tokens) for dot in finite],
        "hovertemplate": "τ = %{x}: measured <b>%{y:.4f}</b> after %{customdata} tokens<extra></extra>",
        "hoverinfo": "skip" if name == "present" else "all",
        "marker": {"size": size, "color": fill, "line": {"color": edge, "width": width}},
        "cliponaxis": False,
    }


def _tick(length: int, k: int) -> str:
    if length in (k, k + 1):
        return f"<b>{length}</b><br>{'k' if length == k else 'k+1'}"
    return str(length)


def _step(k: int) -> dict[str, Any]:
    """The border between what cannot and what can be learnt."""
    line = {"color": colour("cut"), "width": 2, "dash": "5px 5px"}
    return {"type": "line", "x0": k + 0.5, "x1": k + 0.5, "yref": "paper", "y0": 0, "y1": 1, "line": line, "layer": "below"}


def _note(text: str, **place: Any) -> dict[str, Any]:
    font = {"size": 14, "color": colour("text")}
    common = {"text": text, "showarrow": False, "font": font, "bgcolor": colour("background"), "borderpad": 2}
    return common | {"xanchor": "left", "yanchor": "middle", **place}


def proof_label(dots: Sequence[Dot], k: int) -> str:
    """The chart in words."""
    measured = ", ".join(f"{dot.length}: {number(dot.perplexity)}" for dot in dots)
    return f"Held-out perplexity against truncation length for echo-{k}. {measured or 'Nothing measured yet'}."


def proof_words(dot: Dot | None, bound: float, *, k: int, length: int) -> list[dict[str, Any]]:
    """Two panels: what is measured at the present tau, and what the formula says there, with its numbers."""
    blind = min(k, length)
    measured = [
        ["bound", f"{bound:.4f}"],
        ["measured", f"{dot.perplexity:.4f}" if dot else "–"],
        ["off by", percent(dot.perplexity / bound - 1, 2, sign=True) if dot else "–"],
        ["tokens read", count(dot.tokens) if dot else "0"],
    ]
    said = f"{blind} of {length} answers lie before the window: fair coins, 1 bit each. No training can know them."
    if k >= length:
        said = f"k = {k} is not shorter than the window of {length}: every answer lies before it. All are fair coins, 1 bit each."
    return [
        {"title": f"τ = {length}", "aside": "held-out, weights frozen", "rows": measured},
        {
            "title": "The bound",
            "formula": [[f"2^{{min(k,τ)/τ}} = 2^{{{blind}/{length}}} = {number(bound, 4)}", ""]],
            "sentences": [[[said, ""]]],
        },
    ]


def task_scene(
    inputs: Integer[np.ndarray, " L"], targets: Integer[np.ndarray, " L"], *, k: int, length: int, steps: int = STEPS
) -> dict[str, Any]:
    """The echo task over ``steps`` steps: each answer and the input it repeats; what a border hides is a question mark."""
    pitch = (WIDTH - GUTTER - RIGHT) / steps
    x = [round(GUTTER + pitch * (t + 0.5), 1) for t in range(steps)]
    starts = [t // length * length for t in range(steps)]  # of the window each step is in
    known = [t - k >= start for t, start in enumerate(starts)]
    return {
        "size": [WIDTH, TASK_HEIGHT],
        "rows": [["answer", TARGET_Y], ["input x", INPUT_Y]],
        "box": min(BOX, round(pitch - 6)),
        "columns": [
            {"x": x[t], "input": str(int(inputs[t])), "answer": str(int(targets[t])), "known": known[t]} for t in range(steps)
        ],
        "threads": [_thread(x[t - k], x[t], known=known[t]) for t in range(k, steps)],
        "lost": [_lost(x[t]) for t in range(min(k, steps))],
        "borders": [{"x": round(GUTTER + pitch * t, 1), "name": "h = 0"} for t in range(0, steps, length) if t],
        "scissors_y": (TARGET_Y + INPUT_Y) / 2,
        "label": f"Echo-{k}: each answer is the input {k} steps before. {sum(known)} of {steps} answers lie in their window.",
    }


def _thread(left: float, right: float, *, known: bool) -> dict[str, Any]:
    foot, top = INPUT_Y - BOX / 2 - 2, TARGET_Y + 16
    path = f"M{left:g} {foot:g}C{left:g} {foot - 44:g} {right:g} {top + 44:g} {right:g} {top:g}"
    return {"path": path, "known": known}


def _lost(x: float) -> dict[str, Any]:
    """The question came before the picture begins."""
    top = TARGET_Y + 16
    return {"path": f"M{GUTTER - 6:g} {top + 40:g}C{GUTTER:g} {top + 30:g} {x:g} {top + 30:g} {x:g} {top:g}", "known": False}
