"""The perplexity chart of the Training page."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from core.config.language import gettext as _, lazy_gettext
from core.config.settings import Settings
from core.models.ngram import Baseline
from core.training.curves import Point, updates_in_bin
from core.training.held_out import Judgement
from core.training.history import Flag, Ghost
from core.training.user_prediction import Expectation
from pages.content.lessons import Lesson
from pages.figures.parts.chart import Figure, horizontal_line, layout, marker
from pages.figures.parts.numbers import count, number
from pages.figures.parts.style import Part, Parts, colour
from pages.figures.training import chart_marks as marks, reference_lines as references
from pages.figures.training.perplexity_axes import (
    IN_LEGEND,
    PerplexityAxis,
    PointAxis,
    curve,
    dots,
    label,
    perplexity_axis,
    point_axis,
    round_down,
)

HEIGHT = 326  # px of the whole figure
MARGIN = {"l": 62, "r": 132, "t": 30, "b": 46, "autoexpand": False}  # the legend does not shrink the plot
HEADROOM = 0.11  # share of the plot above V, with room for the label at the start of the curve
WITH_DOTS = 0.19  # the same, with another line of the legend
WITH_MARKS = 0.22  # the same, with the source of printed perplexities
MARKS = 80  # marks at the top edge that can be distinguished
LEGEND = {  # above the labels of the lines
    "x": 1,
    "xanchor": "left",
    "y": 1.12,
    "yanchor": "top",
    "itemwidth": 30,
    "font": {"size": 12},
    "itemclick": False,
    "itemdoubleclick": False,
    "bgcolor": "rgba(0,0,0,0)",
}
NEAR_V = 0.3  # nats: the label of an untrained network that is closer to V says "about V"
LABEL_GAP = 5  # px between the start of the curve and the label above it
PLOT_HEIGHT = HEIGHT - MARGIN["t"] - MARGIN["b"]  # px


class Curves(NamedTuple):
    """The curves and marks of the chart. Points hold nats per token; the chart shows their exponential."""

    judged: Sequence[Point]
    training: Sequence[Point]
    smooth: Sequence[Point]
    ghosts: Sequence[Ghost]
    flags: Sequence[Flag]
    epochs: Sequence[Point] = ()
    past: Point | None = None  # the evaluation of the displayed snapshot
    expected: Expectation | None = None  # the reader's prediction
    now: Judgement | None = None  # the newest judgement of the run, to mark earlier runs within its noise
    text: str = ""  # the identity of the text of the run, if there are earlier runs
    room: Point | None = None  # a point that the x-axis must include while the reader draws a line
    passed: Sequence[marks.Crossing] = ()  # where the run has passed a line, if that is marked
    second: Ghost | None = None  # the curve of a second run that trains beside the run


def training_figure(
    curves: Curves,
    settings: Settings,
    baselines: Sequence[Baseline],
    *,
    floor: float | None,
    vocab_size: int,
    updates_per_epoch: int,
    judged_on: str = lazy_gettext("held-out text"),
    lesson: Lesson | None = None,
) -> Figure:
    """Perplexity against updates, epochs, tokens or seconds, as a plain plotly figure with colour tokens.

    The means of epochs are drawn on an axis of epochs, or if the ``lesson`` of this run has printed perplexities to compare.
    """
    printed, source = marks.printed_points(lesson, settings, updates_per_epoch), _(lesson.name) if lesson else ""
    ghosts = [ghost for ghost in curves.ghosts if ghost.text == curves.text]
    epochs = curves.epochs if settings.across == "epochs" or printed else ()
    c = curves._replace(ghosts=ghosts, epochs=epochs)
    # Printed perplexities, and lines if they include the best possible, are hidden before training: they are the answer.
    untrained = len(c.judged) == 1
    lines = [] if floor and untrained else references.reference_lines(baselines, floor)
    revealed = [] if untrained else printed
    expected = references.expected_points(c.expected, c.judged, settings.across)
    ends = [*c.judged[-1:], *c.training[-1:], *[ghost.points[-1] for ghost in ghosts if ghost.points], *printed]
    ends += [c.room] if c.room else []
    ends += c.second.points[-1:] if c.second else []
    axis = point_axis(c.judged, ends, settings, updates_per_epoch, expected[-1:])
    best = [*[b.perplexity for b in baselines if math.isfinite(b.perplexity)], *([floor] if floor else [])]
    scale = _perplexity_axis(c, printed, best, vocab_size, log=axis.log)
    traces = [
        *references.expected_line(expected, axis),
        *[references.run_curve(ghost, settings, axis) for ghost in ghosts],
        *references.second_curve(c.second, settings, axis),
        *_run_curves(c, axis, scale, references.pair_names(c.second, settings)[0] if c.second else _(judged_on)),
        *marks.flag_marks(c.flags, axis, scale.top),
        *marks.snapshot_ring(c.past, axis, scale),
        *marks.crossing_rings(c.passed, axis),
        *marks.epoch_dots(epochs, axis),
        *marks.printed_dots(revealed, source, axis),
    ]
    shapes = [
        *[horizontal_line(line.perplexity, line.tone, 2, line.dash) for line in lines],
        *references.run_ends(ghosts, axis, scale),
        *marks.vertical_lines(c.flags, c.past, axis),
    ]
    annotations = [
        *references.reference_labels(lines[bool(c.second and baselines) :], scale),  # the label of "uniform" gives it room
        *references.run_labels(ghosts, settings, scale, c.now),
        *references.second_label(c.second, settings, scale),
        *marks.flag_label(c.flags, axis),
        *marks.crossing_labels(c.passed, axis, scale),
        *([] if printed else _start_label(c, vocab_size, axis, scale)),
        *_above_label(c.judged[-1], axis, scale),
        *references.hidden_label(len(curves.ghosts) - len(ghosts)),
        *marks.printed_labels(revealed, source, axis, scale),
        *marks.own_labels(epochs, printed, axis, scale),
        *marks.snapshot_label(c.past, axis),
        *references.expected_label(expected, axis, scale),
    ]
    return {"data": traces, "layout": _layout(axis, scale) | {"shapes": shapes, "annotations": annotations}}


def _run_curves(c: Curves, axis: PointAxis, scale: PerplexityAxis, judged_on: str) -> Parts:
    """The curves of the run: a hollow dot at its start, a filled one at its newest point, triangles above the chart."""
    named = {} if c.second else IN_LEGEND
    return [
        curve(c.training, axis, _training_name(c.training), width=1, opacity=0.35) | marks.CLICKABLE,
        curve(c.smooth, axis, _("training windows"), width=1.75, opacity=0.7) | named | marks.CLICKABLE,
        curve(c.judged, axis, judged_on, width=4.5) | IN_LEGEND | marks.CLICKABLE | {"legendrank": 1},
        *dots(c.judged[:1], axis, _("untrained"), marker(13, "background", "forward", 3)),
        *dots(c.judged[-1:] if c.judged[-1].update else [], axis, _("now"), marker(16, "forward", "forward", 3)),
        *_above(c.judged, axis, scale),
    ]


def _training_name(training: Sequence[Point]) -> str:
    most = updates_in_bin(training[-1].update) if training else 1
    return _("training, single updates") if most == 1 else _("training, means of up to {n} updates", n=count(most))


def _perplexity_axis(c: Curves, printed: Sequence[Point], best: Sequence[float], V: int, *, log: bool) -> PerplexityAxis:
    """The axis from below the lowest perplexity (0 if linear) to above V, or above curves that exceed V (at most 30 V).

    ``best``: the perplexities of the reference lines.
    """
    second = c.second.points if c.second else ()
    measured = [p.perplexity for p in [*c.judged, *second, *c.smooth[-1:]] if math.isfinite(p.nats)]
    book = [p.perplexity for p in printed]
    low = max(min([*book, *best, *measured, V]) * 0.94, 0.9)
    low = round_down(low) if low > 1.02 else 0.95
    room = WITH_MARKS if book else WITH_DOTS if c.epochs else HEADROOM
    roomy = low * (V / low) ** (1 / (1 - room)) if log else V / (1 - room)
    high = max([roomy, *[min(p * 1.15, 30.0 * V) for p in measured], *[p * 1.15 for p in book]])
    return perplexity_axis(low, high, log=log)


def _layout(axis: PointAxis, scale: PerplexityAxis) -> Part:
    """This chart can be zoomed."""
    look = {"margin": MARGIN, "dragmode": "zoom", "showlegend": True, "legend": LEGEND}
    made = layout(axis.title, scale.title, height=HEIGHT) | look
    for name, drawn in (("xaxis", axis), ("yaxis", scale)):
        made[name] |= drawn.to_plotly() | {"fixedrange": False}
    return made


def _above(judged: Sequence[Point], axis: PointAxis, scale: PerplexityAxis) -> Parts:
    """Triangles at the top edge where the curve is above the chart; a large one for the newest point."""
    places = {int(axis.at(p) * MARKS / (axis.high - axis.low)): p for p in judged if scale.is_above(p)}
    points = list(places.values())
    sizes = [17 if point is judged[-1] else 8 for point in points]
    look = {"symbol": "triangle-up", "size": sizes, "color": colour("forward"), "opacity": 1, "line": {"width": 0}}
    hover = _("update {n}: above the chart", n="%{customdata}")
    top = [scale.top] * len(points)
    return dots(points, axis, _("above the chart"), look, y=top, hovertemplate=f"{hover}<extra></extra>")


def _above_label(now: Point, axis: PointAxis, scale: PerplexityAxis) -> Parts:
    if not scale.is_above(now):
        return []
    side = axis.side(now)
    text = _("no finite number") if math.isnan(now.nats) else _("above the chart")
    place = {"xanchor": side, "xshift": -12 if side == "right" else 12, "yanchor": "top", "yshift": -3}
    return [label(text, axis.at(now), scale.high, size=15, opacity=0.8, **place)]


def _start_label(c: Curves, V: int, axis: PointAxis, scale: PerplexityAxis) -> Parts:
    """A label above the start of the curve (and above V if close), unless a curve crosses it."""
    start = c.judged[0]
    if scale.is_above(start):
        return []
    near = abs(start.nats - math.log(V)) < NEAR_V
    foot = max(start.perplexity, V) if near else start.perplexity
    highest = math.log(scale.above(foot, LABEL_GAP / PLOT_HEIGHT))
    if any(point.nats > highest for points in (c.judged, c.smooth, c.training) for point in points):
        return []
    if near:
        text = _("untrained: {perplexity}, about V", perplexity=number(start.perplexity))
    else:
        text = _("untrained: {perplexity}, V is {V}", perplexity=number(start.perplexity), V=count(V))
    place = {"xanchor": "left", "xshift": 8, "yanchor": "bottom", "yshift": LABEL_GAP}
    return [label(text, axis.at(start), scale.place(foot), size=15, opacity=0.8, **place)]
