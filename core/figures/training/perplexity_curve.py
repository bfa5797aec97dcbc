"""The perplexity chart of the Training page."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from core.config.language import gettext as _
from core.config.language import lazy_gettext
from core.config.settings import Settings
from core.content.lessons import Lesson
from core.figures.parts.chart import Figure, layout, marker, note
from core.figures.parts.numbers import count, number
from core.figures.parts.style import Part, Parts, colour
from core.figures.training import chart_marks as marks
from core.figures.training import reference_lines as references
from core.figures.training.perplexity_axes import IN_LEGEND, PerplexityAxis, curve, dots, point_axis, round_down
from core.models.loss import perplexity_of
from core.models.ngram import Baseline
from core.training.curves import Point
from core.training.held_out import Judgement
from core.training.history import Flag, Ghost
from core.training.user_prediction import Expectation

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
AXIS_TITLES = {
    "updates": lazy_gettext("updates"),
    "epochs": lazy_gettext("epochs"),
    "tokens": lazy_gettext("tokens read"),
    "seconds": lazy_gettext("seconds of computing"),
}


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
    room: Point | None = None  # a point that the x-axis must include while the reader draws a line


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

    The means of epochs are drawn on an axis of epochs, or if the ``lesson`` of this run has printed perplexities to compare.
    """
    chart = _Chart(curves, settings, baselines, floor, vocab_size, across, updates_per_epoch, lesson)
    return {"data": chart.traces(judged_on), "layout": chart.layout()}


class _Chart:
    """The traces, shapes and annotations of the chart, with its axes."""

    def __init__(
        self,
        curves: Curves,
        settings: Settings,
        baselines: Sequence[Baseline],
        floor: float | None,
        V: int,
        across: str,
        updates_per_epoch: int,
        lesson: Lesson | None,
    ) -> None:
        self.settings, self.V, self.source = settings, V, _(lesson.name) if lesson else ""
        self.printed = marks.printed_points(lesson, settings, updates_per_epoch, across)
        self.expected = references.expected_points(curves.expected, curves.judged, across)
        shown = [ghost for ghost in curves.ghosts if ghost.comparable(settings, V)]
        self.hidden = len(curves.ghosts) - len(shown)
        epochs = curves.epochs if across == "epochs" or self.printed else ()
        self.curves = c = curves._replace(ghosts=shown, epochs=epochs)
        # Printed perplexities, and lines if they include the best possible, are hidden before training: they are the answer.
        untrained = len(c.judged) == 1
        self.lines = [] if floor and untrained else references.reference_lines(baselines, floor)
        self.revealed = [] if untrained else self.printed
        ends = [*c.judged[-1:], *c.training[-1:], *[ghost.points[-1] for ghost in shown if ghost.points], *self.printed]
        ends += [c.room] if c.room else []
        self.axis = point_axis(c.judged, ends, settings, across, updates_per_epoch, self.expected[-1:])
        best = [*[b.perplexity for b in baselines if math.isfinite(b.perplexity)], *([floor] if floor else [])]
        self.scale = PerplexityAxis(*self._y_range(best), HEIGHT - MARGIN["t"] - MARGIN["b"], self.axis.log)

    def _y_range(self, best: Sequence[float]) -> tuple[float, float]:
        """The ends of the y-axis: below the best line (0 if linear); above V, or above curves that exceed V (at most 30 V)."""
        c, V, log = self.curves, self.V, self.axis.log
        seen = [perplexity_of(p.nats) for p in [*c.judged, *c.smooth[-1:]] if math.isfinite(p.nats)]
        printed = [p.perplexity for p in self.printed]
        low = max(min([*printed, *best, *seen, V]) * 0.94, 0.9)
        low = round_down(low) if low > 1.02 else 0.95
        room = WITH_MARKS if printed else WITH_DOTS if c.epochs else HEADROOM
        roomy = low * (V / low) ** (1 / (1 - room)) if log else V / (1 - room)
        return low if log else 0.0, max([roomy, *[min(p * 1.15, 30.0 * V) for p in seen], *[p * 1.15 for p in printed]])

    def layout(self) -> Part:
        """Both axes are plotly's own logarithmic or linear ones, because this chart can be zoomed."""
        axis, scale = self.axis, self.scale
        kind, across = "log" if axis.log else "linear", _(AXIS_TITLES[axis.across])
        titles = across, _("perplexity")
        if axis.log:
            titles = _("{quantity} (log scale)", quantity=across), _("perplexity (log scale)")
        made = layout(*titles, height=HEIGHT) | {"margin": MARGIN, "dragmode": "zoom", "showlegend": True, "legend": LEGEND}
        for name, ends, ticks in (("xaxis", (axis.low, axis.high), axis.ticks()), ("yaxis", scale.ends(), scale.ticks())):
            values, texts = zip(*ticks, strict=True)
            made[name] |= {"type": kind, "fixedrange": False, "range": ends, "tickvals": values, "ticktext": texts}
        return made | {"shapes": self.shapes(), "annotations": self.annotations()}

    def shapes(self) -> Parts:
        return [
            *map(references.rule, self.lines),
            *references.run_ends(self.curves.ghosts, self.axis, self.scale),
            *marks.flag_lines(self.curves.flags, self.axis),
            *marks.snapshot_line(self.curves.past, self.axis),
        ]

    def annotations(self) -> Parts:
        c, axis, scale = self.curves, self.axis, self.scale
        return [
            *references.reference_labels(self.lines, scale),
            *references.run_labels(c.ghosts, self.settings, scale, c.now),
            *marks.flag_label(c.flags, axis),
            *([] if self.printed else self._start_label()),
            *self._above_label(),
            *references.hidden_label(self.hidden),
            *marks.printed_labels(self.revealed, self.source, axis, scale),
            *marks.own_labels(c.epochs, self.printed, axis, scale),
            *marks.snapshot_label(c.past, axis),
            *references.expected_label(self.expected, axis, scale),
        ]

    def traces(self, judged_on: str) -> Parts:
        c, axis, scale = self.curves, self.axis, self.scale
        return [
            *references.expected_line(self.expected, axis),
            *[references.run_curve(ghost, self.settings, axis) for ghost in c.ghosts],
            curve(c.training, axis, _("training, single updates"), width=1, opacity=0.35) | marks.CLICKABLE,
            curve(c.smooth, axis, _("training windows"), width=1.75, opacity=0.7) | IN_LEGEND | marks.CLICKABLE,
            curve(c.judged, axis, _(judged_on), width=4.5) | IN_LEGEND | marks.CLICKABLE | {"legendrank": 1},
            # A hollow dot at the start of the run, a filled one at its newest point.
            *dots(c.judged[:1], axis, _("untrained"), marker(13, "background", "forward", 3)),
            *dots(c.judged[-1:] if c.judged[-1].update else [], axis, _("now"), marker(16, "forward", "forward", 3)),
            *self._above(),
            *marks.flag_marks(c.flags, axis, scale.high),
            *marks.snapshot_ring(c.past, axis, scale),
            *marks.epoch_dots(c.epochs, axis),
            *marks.printed_dots(self.revealed, self.source, axis),
        ]

    def _above(self) -> Parts:
        """Triangles at the top edge where the curve is above the chart; a large one for the newest point."""
        judged, axis = self.curves.judged, self.axis
        places = {int(axis.place(p) * MARKS / (axis.high - axis.low)): p for p in judged if self.scale.is_above(p)}
        points = list(places.values())
        sizes = [17 if point is judged[-1] else 8 for point in points]
        look = {"symbol": "triangle-up", "size": sizes, "color": colour("forward"), "opacity": 1, "line": {"width": 0}}
        hover = _("update {n}: above the chart", n="%{customdata}")
        high = [self.scale.high] * len(points)
        return dots(points, axis, _("above the chart"), look, y=high, hovertemplate=f"{hover}<extra></extra>")

    def _above_label(self) -> Parts:
        now, scale = self.curves.judged[-1], self.scale
        if not scale.is_above(now):
            return []
        side = self.axis.side(now)
        text = _("no finite number") if math.isnan(now.nats) else _("above the chart")
        place = {"xanchor": side, "xshift": -12 if side == "right" else 12, "yanchor": "top", "yshift": -3}
        return [_note(text, self.axis.place(now), scale.place(scale.high), **place)]

    def _start_label(self) -> Parts:
        """A label above the start of the curve (and above V if close), unless a curve crosses it."""
        c, V = self.curves, self.V
        start = c.judged[0]
        if self.scale.is_above(start):
            return []
        perplexity, near = perplexity_of(start.nats), abs(start.nats - math.log(V)) < NEAR_V
        foot = max(perplexity, V) if near else perplexity
        highest = math.log(self.scale.above(foot, LABEL_GAP))
        if any(point.nats > highest for points in (c.judged, c.smooth, c.training) for point in points):
            return []
        if near:
            text = _("untrained: {perplexity}, about V", perplexity=number(perplexity))
        else:
            text = _("untrained: {perplexity}, V is {V}", perplexity=number(perplexity), V=count(V))
        place = {"xanchor": "left", "xshift": 8, "yanchor": "bottom", "yshift": LABEL_GAP}
        return [_note(text, self.axis.place(start), self.scale.place(foot), **place)]


def _note(text: str, x: float, y: float, **place: Any) -> Part:
    """A label in the plot, with a background so that curves do not strike it through."""
    return note(text, 15, fill="background", opacity=0.8, x=x, y=y, **place)
