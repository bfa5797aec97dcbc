"""The echo task: bound and measured perplexity over the window length, and the answers that a border makes unknowable."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypedDict

import numpy as np
from jaxtyping import Integer

from core.config.language import gettext as _, sentences
from pages.figures.parts.axes import Axis
from pages.figures.parts.chart import Curve, Figure, chart, marker, markers, note, vertical_line
from pages.figures.parts.numbers import count, number, percent
from pages.figures.parts.style import DRAWING_WIDTH, GUTTER, NETWORK_RIGHT
from pages.figures.parts.tables import Panel, panel

HEIGHT, SCENE_HEIGHT, TASK_HEIGHT = 312, 141, 156  # px of the chart, alone and below the task, and of the task
ABOVE = 30  # px of the row of choices above the task
TARGET_Y, INPUT_Y, BOX = 24, 110, 30  # middles of the rows, px; side of an input box
STEPS = 22  # steps of the task that are drawn
RAISED = '<sup><span style="font-size: 13px">k/τ</span></sup>'  # plotly's own superscripts are too small to read


class Dot(NamedTuple):
    """The held-out perplexity of the network for windows of ``num_steps``, after ``tokens`` of training."""

    num_steps: int
    perplexity: float
    tokens: int
    finished: bool


class EchoColumn(TypedDict):
    """A step: its input, the answer, whether the answer can be known, and how many answers are possible ("" if not shown)."""

    x: float
    input: str
    answer: str
    known: bool
    choices: str


class EchoThread(TypedDict):
    """A line from an input to the answer that repeats it."""

    path: str
    known: bool


class EchoBorder(TypedDict):
    """A border between two windows, at which the state is reset or handed on."""

    x: float
    name: str


class TaskDrawing(TypedDict):
    """The echo task: each answer and the input it repeats; an answer that cannot be known is a question mark. ``above``: the
    height of the row of choices, px."""

    size: list[int]
    above: int
    rows: list[tuple[str, int]]  # name, y
    box: int
    columns: list[EchoColumn]
    threads: list[EchoThread]
    lost: list[EchoThread]  # threads whose input lies before the first step drawn
    borders: list[EchoBorder]
    scissors_y: float
    label: str


def echo_bound_figure(
    bounds: Mapping[int, float],
    dots: Sequence[Dot],
    *,
    k: int,
    present: int,
    earlier: Sequence[Dot] = (),
    line: bool = True,
    carried: bool = False,
    in_scene: bool = False,
) -> Figure:
    """The held-out perplexity of each network as a dot, hollow while it trains, and the bound over tau as a ``line``, which
    answers the question that the page asks first. It is a bound only while the state is reset: if it is ``carried``, the notes
    say what dots on either side of k owe to the state and to the gradient."""
    says = _("τ = {length}: no training can get below <b>{bound}</b>")
    if carried:
        says = _("τ = {length}, the state reset: never below <b>{bound}</b>")
    texts = [says.format(length=length, bound=f"{bound:.4f}") for length, bound in bounds.items()]
    bound = Curve("bound", list(bounds), list(bounds.values()), "text", hover=texts)
    axis = _window_axis(list(bounds), k, known=line, title="τ" if in_scene else _("truncation length τ = window (steps)"))
    perplexity = _perplexity_axis(dots, _("perplexity") if in_scene else _("perplexity, held-out"))  # no room for more there
    figure = chart([bound] * line, axis, perplexity, height=SCENE_HEIGHT if in_scene else HEIGHT)
    figure["data"] += [
        _dots("earlier", earlier, marker(8, "ghost", "background", 1)),
        _dots("still learning", [dot for dot in dots if not dot.finished], marker(13, "background", "forward", 3)),
        _dots("measured", [dot for dot in dots if dot.finished], marker(14, "forward", "background", 2)),
        *(
            []
            if in_scene
            else [_dots("present", [dot for dot in dots if dot.num_steps == present], marker(26, "", "forward", 3))]
        ),
    ]
    figure["layout"] |= {
        "margin": figure["layout"]["margin"] | {"t": 8, "r": 24},
        # the border between window lengths at which nothing can be learnt and longer ones
        "shapes": [vertical_line(k + 0.5, "cut", dash="5px 5px", layer="below")] * line,
        "annotations": _notes(bounds, k, carried=carried, in_scene=in_scene) * line,
    }
    return figure


def _notes(bounds: Mapping[int, float], k: int, *, carried: bool, in_scene: bool) -> list[dict[str, Any]]:
    """What dots on either side of k owe to the state and to the gradient; in a scene, whose chart is low, further away from
    dots and line."""
    near, at = k + 0.75, round(bounds.get(k + 2, 1.0), 3)
    if not carried:
        taught = _("← τ ≥ k + 1: it can, down to {bound}", bound=f"2{RAISED}")
        place = (k + 3.5, at + 0.15) if in_scene else (k + 2.2, at + 0.1)
        return [_note(_("← τ ≤ k: nothing can be learnt"), near, 1.05), _note(taught, *place)]
    places = [(k + 3.5, at + 0.15), (k + 8, at - 0.1)] if in_scene else [(k + 2.2, at + 0.1), (near, 1.15)]
    return [
        _note(_("← τ ≤ k: what the state keeps by itself"), near, 2.05),  # where no dot falls
        _note(_("← line and pale dots: with the state reset"), *places[0]),
        _note(_("τ ≥ k + 1: what the gradient adds ↓") if in_scene else _("τ ≥ k + 1: what the gradient adds →"), *places[1]),
    ]


def _window_axis(lengths: Sequence[int], k: int, *, known: bool, title: str) -> Axis:
    """Window lengths, with ticks at k, at k + 1 if the answer is ``known``, and at lengths whose labels do not overlap these."""
    clear = [length for length in (8, 12, 16, 20) if abs(length - k) > 1 and length != k + 2]
    tick_lengths = {1, k, *clear, lengths[-1], *([k + 1] if known else [])}
    ticks = []
    for length in sorted(tick_lengths):
        text = f"<b>{length}</b>" if length in (k, k + 1) else str(length)
        ticks.append((float(length), f"{text}<br>k" if length == k else text))
    return Axis(title, 0.3, lengths[-1] + 0.7, log=False, ticks=ticks)


def _perplexity_axis(dots: Sequence[Dot], title: str) -> Axis:
    """From 1 to 2, the perplexity of a fair coin; extended to include dots below 4."""
    high = max([2.16, *[1.04 * dot.perplexity for dot in dots if dot.perplexity < 4]])
    ticks = [(place, f"{place:g}") for place in (1.0, 1.25, 1.5, 1.75, 2.0)]
    return Axis(title, 0.95, high, log=False, ticks=ticks)


def _dots(name: str, dots: Sequence[Dot], look: dict[str, Any]) -> dict[str, Any]:
    finite = [dot for dot in dots if math.isfinite(dot.perplexity)]
    texts, heights = [count(dot.tokens) for dot in finite], [round(dot.perplexity, 5) for dot in finite]
    made = markers(name, [dot.num_steps for dot in finite], heights, texts, look)
    made["customdata"] = made.pop("text")
    point = {"length": "%{x}", "perplexity": "%{y:.4f}", "tokens": "%{customdata}"}
    hover = _("τ = {length}: measured <b>{perplexity}</b> after {tokens} tokens", **point)
    return made | {"hovertemplate": f"{hover}<extra></extra>", "hoverinfo": "skip" if name == "present" else "all"}


def _note(text: str, x: float, y: float) -> dict[str, Any]:
    return note(text, fill="background", borderpad=2, xanchor="left", yanchor="middle", x=x, y=y)


def echo_bound_label(dots: Sequence[Dot], k: int) -> str:
    """The chart in words."""
    measured = ", ".join(f"{dot.num_steps}: {number(dot.perplexity)}" for dot in dots)
    return sentences(
        _("Held-out perplexity against truncation length for echo-{k}.", k=k),
        f"{measured}." if measured else _("Nothing measured yet."),
    )


def echo_bound_panels(dot: Dot | None, bound: float, *, k: int, length: int, carried: bool = False) -> list[Panel]:
    """Two panels: the measurement at the present tau and, once there is one, the formula of the bound with its numbers, or why
    there is none if the state is ``carried``."""
    unknowable = min(k, length)
    found = [_("measured"), f"{dot.perplexity:.4f}" if dot else "–"]
    against = [
        [_("bound"), f"{bound:.4f}" if dot else "–"],
        found,
        [_("off by"), percent(dot.perplexity / bound - 1, 2, sign=True) if dot else "–"],
    ]
    measured = [*([found] if carried else against), [_("tokens read"), count(dot.tokens) if dot else "0"]]
    values = {"blind": unknowable, "k": k, "length": length}
    text = _("{blind} of {length} answers lie before the window: fair coins, 1 bit each. No training can know them.", **values)
    if k >= length:
        text = _(
            "k = {k} is not shorter than the window of {length}: every answer lies before it. All are fair coins, 1 bit each.",
            **values,
        )
    now = panel(f"τ = {length}", aside=_("held-out, weights frozen"), rows=measured)
    if not dot:
        return [now, panel(_("The bound"), _("It stands here once this network is measured."))]
    if carried:
        return [now, panel(_("No bound"), _("The state is handed on: it may keep a bit that no gradient taught it to keep."))]
    formula = f"2^{{min(k,τ)/τ}} = 2^{{{unknowable}/{length}}} = {number(bound, 4)}"
    return [now, panel(_("The bound"), text, formula=[formula])]


def task_drawing(
    inputs: Integer[np.ndarray, " L"],
    targets: Integer[np.ndarray, " L"],
    *,
    k: int,
    length: int,
    carried: bool = False,
    choices: bool = False,
) -> TaskDrawing:
    """The task cut into windows of ``length``; if the state is ``carried``, it can bring every input to its answer. ``choices``:
    whether above each answer stands how many are possible, 2 or 1."""
    pitch = (DRAWING_WIDTH - GUTTER - NETWORK_RIGHT) / STEPS
    x = [round(GUTTER + pitch * (t + 0.5), 1) for t in range(STEPS)]
    starts = [0 if carried else t // length * length for t in range(STEPS)]  # of each step the first one whose input it can know
    known, handed = [t - k >= start for t, start in enumerate(starts)], "h" if carried else "h = 0"
    return {
        "size": [DRAWING_WIDTH, TASK_HEIGHT],
        "above": ABOVE * choices,
        "rows": [(_("answer"), TARGET_Y), (_("input x"), INPUT_Y), *([(_("choices"), -ABOVE // 2)] if choices else [])],
        "box": min(BOX, round(pitch - 6)),
        "columns": [
            {"x": x[t], "input": str(int(inputs[t])), "answer": str(int(targets[t])), "known": known[t]}
            | {"choices": ("1" if known[t] else "2") * choices}
            for t in range(STEPS)
        ],
        "threads": [_thread(x[t - k], x[t], known=known[t]) for t in range(k, STEPS)],
        "lost": [_lost(x[t]) for t in range(min(k, STEPS))],
        "borders": [{"x": round(GUTTER + pitch * t, 1), "name": handed} for t in range(length, STEPS, length)],
        "scissors_y": (TARGET_Y + INPUT_Y) / 2,
        "label": sentences(
            _("Echo-{k}: each answer is the input {k} steps before.", k=k),
            _("{known} of {steps} answers can be known.", known=sum(known), steps=STEPS),
        ),
    }


def _thread(left: float, right: float, *, known: bool) -> EchoThread:
    foot, top = INPUT_Y - BOX / 2 - 2, TARGET_Y + 16
    path = f"M{left:g} {foot:g}C{left:g} {foot - 44:g} {right:g} {top + 44:g} {right:g} {top:g}"
    return {"path": path, "known": known}


def _lost(x: float) -> EchoThread:
    top = TARGET_Y + 16
    return {"path": f"M{GUTTER - 6:g} {top + 40:g}C{GUTTER:g} {top + 30:g} {x:g} {top + 30:g} {x:g} {top:g}", "known": False}
