"""Marks in the perplexity chart: changes of settings, the displayed snapshot, epochs, and perplexities printed in a book."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from core.config.language import gettext as _, lazy_gettext
from core.config.settings import Settings
from core.models.ngram import Baseline
from core.training.curves import Point
from core.training.history import Flag
from pages.content.lessons import Lesson
from pages.figures.parts import words
from pages.figures.parts.chart import marker, markers, note, vertical_line
from pages.figures.parts.numbers import count, decimals, number
from pages.figures.parts.style import Part, Parts, colour, escape
from pages.figures.training.perplexity_axes import IN_LEGEND, TEXT_HOVER, PerplexityAxis, PointAxis, dots, label

CLICKABLE = {"meta": "seek"}  # a click on such a curve shows the network of the update in its customdata
MEANS = lazy_gettext("epoch means")
COMPARED = lazy_gettext("The mean of the epoch's windows, each before its update. The book prints this mean, too.")


def vertical_lines(flags: Sequence[Flag], past: Point | None, axis: PointAxis) -> Parts:
    """A line at each x with changes of settings, faint, so that the curve stays visible behind many lines; and a line at the
    evaluation of the displayed snapshot."""
    lines = [vertical_line(x, "text", 1, opacity=0.4) for x in _moves(flags, axis)]
    return [*lines, vertical_line(axis.value(past), "forward")] if past else lines


def flag_marks(flags: Sequence[Flag], axis: PointAxis, top: float) -> Parts:
    """A triangle at the top of each line, at perplexity ``top``; its tooltip names the changed settings."""
    moves = _moves(flags, axis)
    if not moves:
        return []
    updates = {axis.value(flag.point): flag.point.update for flag in flags}
    look = {"symbol": "triangle-down", "size": 10, "color": colour("text")}
    clicked = {"customdata": list(updates.values()), "showlegend": False} | CLICKABLE
    return [markers("moved", list(moves), [top] * len(moves), list(moves.values()), look, **clicked)]


def flag_label(flags: Sequence[Flag], axis: PointAxis) -> Parts:
    """The last change of a setting, above the plot."""
    return [
        _flag(_move(flag), "text", flag.point, axis, y=1, yanchor="bottom", yshift=5)
        | {"name": str(flag.point.update), "captureevents": True}
        for flag in flags[-1:]
    ]


def _flag(text: str, tone: str, point: Point, axis: PointAxis, **place: Any) -> Part:
    """A label with a background, at the x of a point."""
    return note(
        text, tone="background", fill=tone, x=axis.at(point), xanchor=axis.side(point), yref="paper", borderpad=3, **place
    )


def _move(flag: Flag) -> str:
    return escape(words.moved(flag.name, flag.old, flag.new))


def _moves(flags: Sequence[Flag], axis: PointAxis) -> dict[float, str]:
    """The changes of settings in words, by x."""
    moves: dict[float, list[str]] = {}
    for flag in flags:
        moves.setdefault(axis.value(flag.point), []).append(_move(flag))
    return {x: "<br>".join(texts) for x, texts in moves.items()}


class Crossing(NamedTuple):
    """A line of the chart, and the first judgement of the run below it."""

    name: str
    perplexity: float
    point: Point


def crossings(judged: Sequence[Point], lines: Iterable[Baseline]) -> list[Crossing]:
    """Where the run passed each of these lines, of all its judgements: a thinned curve may lack that one."""
    first = [(line, next((point for point in judged if point.perplexity < line.perplexity), None)) for line in lines]
    return [Crossing(line.name, line.perplexity, point) for line, point in first if point and point.update]


def crossing_rings(passed: Sequence[Crossing], axis: PointAxis) -> Parts:
    look = marker(15, "", "text", 2.5)
    return dots([one.point for one in passed], axis, _("passed"), look, y=[one.perplexity for one in passed], hoverinfo="skip")


def crossing_labels(passed: Sequence[Crossing], axis: PointAxis, scale: PerplexityAxis) -> Parts:
    """The update and the seconds of computing at which the run passed each line: above the curve, which falls, or, at its newest
    point, below it."""
    made = []
    for one in passed:
        side = axis.side(one.point)
        place = {"xanchor": side, "yanchor": "bottom" if side == "left" else "top"}
        text = _(
            "{line}: update {n}, {seconds} s of computing",
            line=_(one.name),
            n=count(one.point.update),
            seconds=number(one.point.seconds, 2),
        )
        shift = {"xshift": 10 if side == "left" else -10}
        made.append(label(text, axis.at(one.point), scale.place(one.perplexity), **place, **shift))
    return made


def snapshot_ring(past: Point | None, axis: PointAxis, scale: PerplexityAxis) -> Parts:
    """A ring at the held-out perplexity of the displayed snapshot; at the upper edge if that is above the chart."""
    rings = dots([past] if past else [], axis, _("looking back"), marker(18, "background", "forward", 4))
    return [ring | {"y": [scale.top if y is None else min(y, scale.top) for y in ring["y"]]} for ring in rings]


def snapshot_label(past: Point | None, axis: PointAxis) -> Parts:
    """The update of the displayed snapshot, at the lower end of its line."""
    if not past:
        return []
    shift = 1 if axis.side(past) == "left" else -1
    text = _("looking back: update {n}", n=count(past.update))
    return [_flag(text, "forward", past, axis, y=0, yanchor="bottom", xshift=shift)]


def epoch_dots(epochs: Sequence[Point], axis: PointAxis) -> Parts:
    """Dots at the ends of epochs: the mean of each epoch's training windows."""
    texts = [
        _("epoch {n}, mean of its windows: <b>{perplexity}</b>", n=count(round(point.epoch)), perplexity=number(point.perplexity))
        for point in epochs
    ]
    return dots(epochs, axis, _(MEANS), {"size": 5, "color": colour("text")}, text=texts, **TEXT_HOVER, **IN_LEGEND)


def printed_points(lesson: Lesson | None, settings: Settings, updates_per_epoch: int) -> list[Point]:
    """The perplexities printed in the lesson's book; none on an axis of seconds, since they are of another machine."""
    printed = lesson.printed if lesson and settings.across != "seconds" else ()
    tokens = settings.batch_size * settings.num_steps * updates_per_epoch
    return [Point(epoch * updates_per_epoch, epoch * tokens, 0.0, math.log(value), epoch) for epoch, value in printed]


def printed_dots(printed: Sequence[Point], source: str, axis: PointAxis) -> Parts:
    """Markers of printed perplexities; hollow, since they are not of this run: the book uses another text."""
    texts = []
    for point in printed:
        values = {"source": source, "n": count(round(point.epoch)), "perplexity": _value(point)}
        texts.append(_("{source}, epoch {n}: <b>{perplexity}</b><br>on the book's own text", **values))
    look = marker(13, "text", "text", 2, symbol="diamond-open")
    return dots(printed, axis, "printed in the book", look, text=texts, **TEXT_HOVER)


def printed_labels(printed: Sequence[Point], source: str, axis: PointAxis, scale: PerplexityAxis) -> Parts:
    """Printed perplexities beside their markers; the first above its marker, with the source, since learning curves fall."""
    book = "<br>from ".join(source.split(",")[0].split(" from "))  # in two lines: the plot may be narrow
    made = []
    for i, point in enumerate(printed):
        text, side = _value(point), axis.side(point)
        place = {"xanchor": side, "xshift": -20 if side == "right" else 20}
        if i == 0:
            text = _("{book}: {perplexity}", book=book, perplexity=text)
            place = {"xanchor": "center" if axis.log else "left", "yanchor": "bottom", "yshift": 8}
        made.append(label(text, axis.at(point), scale.place(point.perplexity), **place))
    return made


def own_labels(epochs: Sequence[Point], printed: Sequence[Point], axis: PointAxis, scale: PerplexityAxis) -> Parts:
    """The run's own mean of each epoch with a printed perplexity, above or below its dot, away from the printed one."""
    theirs = {round(point.epoch): point.nats for point in printed}
    made = []
    for point in epochs:
        if round(point.epoch) in theirs and math.isfinite(point.nats):
            below = point.nats <= theirs[round(point.epoch)]
            place = {"yanchor": "top", "yshift": -8} if below else {"yanchor": "bottom", "yshift": 8}
            # Left of the dot, where a falling curve is above the label.
            place |= {"xanchor": "right"} if axis.log else _clear_of_edges(axis.side(point))
            text = _("here, while it learned: {perplexity}", perplexity=_value(point))
            made.append(label(text, axis.at(point), scale.place(point.perplexity), hovertext=_(COMPARED), **place))
    return made


def _clear_of_edges(side: str) -> Part:
    """A position clear of the curve, which on linear axes falls along the left edge, then runs along the bottom."""
    return {"xanchor": "left", "xshift": 8} if side == "left" else {"xanchor": "right", "yanchor": "bottom", "yshift": 12}


def _value(point: Point) -> str:
    return decimals(point.perplexity, 2)
