"""The perplexity curve: what the Training page draws while a run goes on."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from core.config.language import gettext as _
from core.config.language import lazy_gettext
from core.config.settings import Settings
from core.content.lessons import Lesson
from core.figures.parts.chart import Figure, layout, marker, note
from core.figures.parts.numbers import count, number
from core.figures.parts.style import colour
from core.figures.training import chart_marks as marks
from core.figures.training import expected_curve, reference_lines
from core.figures.training.perplexity_axes import IN_LEGEND, PerplexityAxis, PointAxis, curve, dots, ladder_below, point_axis
from core.models.loss import perplexity_of
from core.models.ngram import Baseline
from core.training.curves import Point
from core.training.held_out import Judgement
from core.training.history import Flag, Ghost
from core.training.user_prediction import Expectation

HEIGHT = 326  # px of the whole figure
MARGIN = {"l": 62, "r": 132, "t": 30, "b": 46, "autoexpand": False}  # the legend takes nothing from the plot
HEADROOM = 0.11  # of the plot above V, for the words at the curve's beginning,
WITH_DOTS = 0.19  # for another line of the legend,
WITH_MARKS = 0.22  # and for the source of what is printed
MARKS = 80  # as many marks at the top edge can be told apart
LEGEND = {  # above the names of the lines
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
NEAR_V = 0.3  # nats: how near to V an untrained network must be for the chart to say so
CLEAR = 5  # px between the curve's beginning and the words above it
AXIS_TITLES = {
    "updates": lazy_gettext("updates"),
    "epochs": lazy_gettext("epochs"),
    "tokens": lazy_gettext("tokens read"),
    "seconds": lazy_gettext("seconds of computing"),
}


class Curves(NamedTuple):
    """What is drawn. Points carry nats per token; the figure shows their exponential."""

    judged: Sequence[Point]
    training: Sequence[Point]
    smooth: Sequence[Point]
    ghosts: Sequence[Ghost]
    flags: Sequence[Flag]
    epochs: Sequence[Point] = ()
    past: Point | None = None  # the judgement that the reader looks back at
    expected: Expectation | None = None  # what the reader drew
    now: Judgement | None = None  # how the run is judged now: earlier runs may not differ from it
    room: Point | None = None  # how far the chart reaches at least: while a line is drawn


def training_figure(
    curves: Curves,
    settings: Settings,
    baselines: Sequence[Baseline],
    *,
    floor: float | None,
    vocab_size: int,
    across: str,
    updates_per_epoch: int,
    judged_on: str = lazy_gettext("held-out text"),
    lesson: Lesson | None = None,
) -> Figure:
    """Perplexity against updates, epochs, tokens or seconds, as a plain plotly figure with colour tokens.

    The epochs' means are drawn where the axis is theirs, or where the ``lesson`` whose run this is has some to compare with.
    """
    shown = [ghost for ghost in curves.ghosts if ghost.comparable(settings, vocab_size)]
    hidden, curves = len(curves.ghosts) - len(shown), curves._replace(ghosts=shown)
    source, printed = _(lesson.name) if lesson else "", marks.printed_points(lesson, settings, updates_per_epoch, across)
    if across != "epochs" and not printed:
        curves = curves._replace(epochs=())
    expected = expected_curve.expected_points(curves.expected, curves.judged, across)
    axis = point_axis(curves.judged, [*_ends(curves), *printed], settings, across, updates_per_epoch, expected[-1:])
    low, high = _y_range(curves, printed, baselines, floor, vocab_size, log=axis.log)
    scale = PerplexityAxis(low, high, HEIGHT - MARGIN["t"] - MARGIN["b"], axis.log)
    untrained = len(curves.judged) == 1
    # Where the best possible is known, the lines answer what the preset asks: they are drawn once something was learnt.
    lines = [] if floor and untrained else reference_lines.reference_lines(baselines, floor)
    made = _layout(axis, scale)
    made["shapes"] = [
        *map(reference_lines.rule, lines),
        *reference_lines.run_ends(shown, axis, scale),
        *marks.flag_lines(curves.flags, axis),
        *marks.snapshot_line(curves.past, axis),
    ]
    made["annotations"] = [
        *reference_lines.reference_labels(lines, scale),
        *reference_lines.run_labels(shown, settings, scale, curves.now),
        *marks.flag_label(curves.flags, axis),
        *([] if printed else _start_label(curves, vocab_size, axis, scale)),
        *_above_label(curves.judged[-1], axis, scale),
        *reference_lines.hidden_label(hidden),
        *marks.printed_labels(printed, source, axis, scale),
        *marks.own_labels(curves.epochs, printed, axis, scale),
        *marks.snapshot_label(curves.past, axis),
        *expected_curve.expected_label(expected, axis, scale),
    ]
    data = [
        *expected_curve.expected_line(expected, axis),
        *[reference_lines.run_curve(ghost, settings, axis) for ghost in shown],
        curve(curves.training, axis, _("training, single updates"), width=1, opacity=0.35) | marks.CLICKABLE,
        curve(curves.smooth, axis, _("training windows"), width=1.75, opacity=0.7) | IN_LEGEND | marks.CLICKABLE,
        curve(curves.judged, axis, _(judged_on), width=4.5) | IN_LEGEND | marks.CLICKABLE | {"legendrank": 1},
        *_both_ends(curves.judged, axis),
        *_above(curves.judged, axis, scale),
        *marks.flag_marks(curves.flags, axis, scale.high),
        *marks.snapshot_ring(curves.past, axis, scale),
        *marks.epoch_dots(curves.epochs, axis),
        *marks.printed_dots(printed, source, axis),
    ]
    return {"data": data, "layout": made}


def _ends(curves: Curves) -> list[Point]:
    room = [curves.room] if curves.room else []
    return [*room, *curves.judged[-1:], *curves.training[-1:], *[ghost.points[-1] for ghost in curves.ghosts if ghost.points]]


def _y_range(
    curves: Curves, printed: Sequence[Point], baselines: Sequence[Baseline], floor: float | None, vocab_size: int, *, log: bool
) -> tuple[float, float]:
    """From below the best line (or 0 on a linear axis) to above V, or above the curve where it rose past V (30 V at most)."""
    seen = [perplexity_of(p.nats) for p in [*curves.judged, *curves.smooth[-1:]] if math.isfinite(p.nats)]
    marks = [p.perplexity for p in printed]
    below = [*marks, *[b.perplexity for b in baselines if math.isfinite(b.perplexity)], *([floor] if floor else [])]
    low = max(min([*below, *seen, vocab_size]) * 0.94, 0.9)
    low = ladder_below(low) if low > 1.02 else 0.95
    room = WITH_MARKS if printed else WITH_DOTS if curves.epochs else HEADROOM
    roomy = low * (vocab_size / low) ** (1 / (1 - room)) if log else vocab_size / (1 - room)
    return low if log else 0.0, max([roomy, *[min(p * 1.15, 30.0 * vocab_size) for p in seen], *[p * 1.15 for p in marks]])


def _both_ends(judged: Sequence[Point], axis: PointAxis) -> list[dict[str, Any]]:
    """A hollow dot where the run began, a full one where it is."""
    now = judged[-1:] if judged[-1].update else []
    return [
        *dots(judged[:1], axis, _("untrained"), marker(13, "background", "forward", 3)),
        *dots(now, axis, _("now"), marker(16, "forward", "forward", 3)),
    ]


def _above(judged: Sequence[Point], axis: PointAxis, scale: PerplexityAxis) -> list[dict[str, Any]]:
    """Arrowheads at the top edge where the curve is above the chart; a large one if it is now."""
    places = {int(axis.place(p) * MARKS / (axis.high - axis.low)): p for p in judged if scale.is_above(p)}
    points = list(places.values())
    sizes = [17 if point is judged[-1] else 8 for point in points]
    look = {"symbol": "triangle-up", "size": sizes, "color": colour("forward"), "opacity": 1, "line": {"width": 0}}
    hover = _("update {n}: above the chart", n="%{customdata}")
    high = [scale.high] * len(points)
    return dots(points, axis, _("above the chart"), look, y=high, hovertemplate=f"{hover}<extra></extra>")


def _above_label(now: Point, axis: PointAxis, scale: PerplexityAxis) -> list[dict[str, Any]]:
    if not scale.is_above(now):
        return []
    side = axis.side(now)
    text = _("no finite number") if math.isnan(now.nats) else _("above the chart")
    place = {"xanchor": side, "xshift": -12 if side == "right" else 12, "yanchor": "top", "yshift": -3}
    return [_note(text, axis.place(now), scale.place(scale.high), **place)]


def _start_label(curves: Curves, V: int, axis: PointAxis, scale: PerplexityAxis) -> list[dict[str, Any]]:
    """Above the beginning and the line of V, as long as no curve comes there."""
    start = curves.judged[0]
    if scale.is_above(start):
        return []
    perplexity, near = perplexity_of(start.nats), abs(start.nats - math.log(V)) < NEAR_V
    foot = max(perplexity, V) if near else perplexity
    highest = math.log(scale.above(foot, CLEAR))
    if any(point.nats > highest for points in (curves.judged, curves.smooth, curves.training) for point in points):
        return []
    if near:
        text = _("untrained: {perplexity}, about V", perplexity=number(perplexity))
    else:
        text = _("untrained: {perplexity}, V is {V}", perplexity=number(perplexity), V=count(V))
    return [_note(text, axis.place(start), scale.place(foot), xanchor="left", xshift=8, yanchor="bottom", yshift=CLEAR)]


def _note(text: str, x: float, y: float, **place: Any) -> dict[str, Any]:
    """Words in the plot; no curve strikes them through."""
    return note(text, 15, fill="background", opacity=0.8, x=x, y=y, **place)


def _layout(axis: PointAxis, scale: PerplexityAxis) -> dict[str, Any]:
    """Both axes are plotly's own logarithmic or linear ones, because this chart can be zoomed."""
    kind, across = "log" if axis.log else "linear", _(AXIS_TITLES[axis.across])
    titles = across, _("perplexity")
    if axis.log:
        titles = _("{quantity} (log scale)", quantity=across), _("perplexity (log scale)")
    made = layout(*titles, height=HEIGHT) | {"margin": MARGIN, "dragmode": "zoom", "showlegend": True, "legend": LEGEND}
    for name, ends, ticks in (("xaxis", (axis.low, axis.high), axis.ticks()), ("yaxis", scale.ends(), scale.ticks())):
        values, texts = zip(*ticks, strict=True)
        made[name] |= {"type": kind, "fixedrange": False, "range": ends, "tickvals": values, "ticktext": texts}
    return made
