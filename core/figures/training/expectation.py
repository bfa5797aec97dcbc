"""What the reader expects of the perplexity curve: their line in the chart, and how far off it was, in a sentence."""

import math
from collections.abc import Sequence
from typing import Any

from core.figures.parts.numbers import count, number
from core.figures.parts.style import colour
from core.figures.training.perplexity_axes import Axis, curve
from core.models.loss import perplexity_of
from core.training.curves import Point
from core.training.user_prediction import Expectation, Outcome, outcome, timed

NAME = "expected"
NEAR = 1.05  # times too high or too low: a hand draws no nearer
NOT_OVER = "seconds"  # how fast it goes is the machine's


def expected_points(expectation: Expectation | None, judged: Sequence[Point], across: str) -> list[Point]:
    """The line, where this axis has a place for it."""
    points = expectation.points if expectation else ()
    return timed(points, judged) if across == NOT_OVER else list(points)


def expected_line(points: Sequence[Point], axis: Axis) -> list[dict[str, Any]]:
    """Thin and dashed, in the colour of words: nothing was measured there."""
    if not points:
        return []
    look = {"color": colour("text"), "width": 2, "dash": "6px 4px"}
    updates = [round(point.update) if point.update >= 1 else 0 for point in points]
    return [curve(points, axis, NAME, width=2) | {"line": look, "customdata": updates}]


def expected_label(points: Sequence[Point], axis: Axis) -> list[dict[str, Any]]:
    """Its name, below its end: curves of learning fall."""
    return [
        {
            "x": axis.place(point),
            "y": math.log10(perplexity_of(point.nats)),
            "text": NAME,
            "showarrow": False,
            "xanchor": axis.side(point),
            "yanchor": "top",
            "yshift": -4,
            "font": {"size": 14, "color": colour("text")},
            "bgcolor": colour("background"),
            "opacity": 0.85,
        }
        for point in points[-1:]
    ]


def expecting(expectation: Expectation | None, judged: Sequence[Point], *, drawing: bool, across: str) -> dict[str, Any]:
    """What stands below the chart: whether a line can be drawn, is being drawn, or is there; and how it came."""
    came = outcome(expectation, judged) if expectation else None
    return {
        "can": across != NOT_OVER,
        "drawing": drawing,
        "drawn": expectation is not None,
        "serial": expectation.serial if expectation else 0,
        "across": across,
        "says": words_of(came) if came else "",
    }


def words_of(came: Outcome) -> str:
    """How far off the line was, in a plain sentence."""
    said = f"At update {count(came.update)} you expected {number(came.expected)}, it is {number(came.found)}"
    if not math.isfinite(came.factor):
        return f"{said}."
    factor = max(came.factor, 1 / came.factor)
    if factor < NEAR:
        return f"{said}: nearly right."
    return f"{said}: your line is too {'low' if came.factor > 1 else 'high'}, by a factor of {number(factor)}."
