"""Whole epochs in the perplexity chart: the mean of each one's training windows, and what a book printed of some."""

import math
from collections.abc import Sequence
from typing import Any

from core.config.settings import Settings
from core.content.lessons import Lesson
from core.figures.parts.numbers import count, fixed, number
from core.figures.parts.style import colour
from core.figures.training.perplexity_axes import IN_LEGEND, Axis, curve
from core.models.loss import perplexity_of
from core.training.curves import Point

MEANS = "epoch means"


def printed_points(lesson: Lesson | None, settings: Settings, updates_per_epoch: int, across: str) -> list[Point]:
    """Where the numbers that the lesson's book printed lie; nowhere on an axis of seconds, for they are another machine's."""
    printed = lesson.printed if lesson and across != "seconds" else ()
    tokens = settings.batch_size * settings.num_steps * updates_per_epoch
    return [Point(epoch * updates_per_epoch, epoch * tokens, 0.0, math.log(value), epoch) for epoch, value in printed]


def epoch_dots(epochs: Sequence[Point], axis: Axis) -> list[dict[str, Any]]:
    """Each epoch at its end."""
    said = [f"epoch {count(round(point.epoch))}, mean of its windows: <b>{number(point.perplexity)}</b>" for point in epochs]
    return [dots | IN_LEGEND for dots in _dots(epochs, axis, MEANS, said, {"size": 5, "color": colour("text")})]


def printed_dots(printed: Sequence[Point], source: str, axis: Axis) -> list[dict[str, Any]]:
    """Hollow, for they are not of this run: the book read another text."""
    said = [f"{source}, epoch {count(round(point.epoch))}: <b>{_value(point)}</b><br>on the book's own text" for point in printed]
    marker = {"symbol": "diamond-open", "size": 13, "color": colour("text"), "line": {"width": 2, "color": colour("text")}}
    return _dots(printed, axis, "printed in the book", said, marker)


def printed_names(printed: Sequence[Point], source: str, axis: Axis) -> list[dict[str, Any]]:
    """The numbers beside their marks; that of the first above it, with its source: curves of learning fall."""
    book = "<br>from ".join(source.split(",")[0].split(" from "))  # in two lines: the plot may be narrow
    look = {"showarrow": False, "font": {"size": 13, "color": colour("text")}, "bgcolor": colour("background"), "opacity": 0.85}
    return [
        look
        | {"x": axis.place(point), "y": math.log10(perplexity_of(point.nats)), "text": f"{said}{_value(point)}"}
        | ({"xanchor": "center", "yanchor": "bottom", "yshift": 8} if said else _aside(axis.side(point)))
        for point, said in zip(printed, [f"{book}: "] + [""] * len(printed), strict=False)
    ]


def _aside(side: str) -> dict[str, Any]:
    return {"xanchor": side, "xshift": -10 if side == "right" else 10}


def _value(point: Point) -> str:
    return fixed(point.perplexity, 2)


def _dots(points: Sequence[Point], axis: Axis, name: str, said: list[str], marker: dict[str, Any]) -> list[dict[str, Any]]:
    look = {"mode": "markers", "text": said, "hovertemplate": "%{text}<extra></extra>", "marker": marker, "cliponaxis": False}
    return [curve(points, axis, name, width=0) | look] if points else []
