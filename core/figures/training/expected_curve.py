"""The perplexity curve that the reader expects: their line in the chart, and how far off it was, in a sentence."""

import math
from collections.abc import Sequence
from typing import Any, TypedDict

from core.config.language import gettext as _
from core.config.language import lazy_gettext
from core.figures.parts.chart import note
from core.figures.parts.numbers import count, number
from core.figures.parts.style import colour
from core.figures.training.perplexity_axes import PerplexityAxis, PointAxis, curve
from core.models.loss import perplexity_of
from core.training.curves import Point
from core.training.user_prediction import Expectation, Outcome, outcome, timed

NAME = lazy_gettext("expected")
NEAR = 1.05  # times too high or too low: a hand draws no nearer
NOT_OVER = "seconds"  # the pace is the machine's: nothing can be drawn over this axis


def expected_points(expectation: Expectation | None, judged: Sequence[Point], across: str) -> list[Point]:
    """The line, where this axis has a place for it."""
    points = expectation.points if expectation else ()
    return timed(points, judged) if across == NOT_OVER else list(points)


def expected_line(points: Sequence[Point], axis: PointAxis) -> list[dict[str, Any]]:
    """Thin and dashed, in the colour of words: nothing was measured there."""
    if not points:
        return []
    updates = [round(point.update) if point.update >= 1 else 0 for point in points]
    look = {"color": colour("text"), "width": 2, "dash": "6px 4px"}
    return [curve(points, axis, _(NAME), width=2) | {"line": look, "customdata": updates}]


def expected_label(points: Sequence[Point], axis: PointAxis, scale: PerplexityAxis) -> list[dict[str, Any]]:
    """Its name, below its end: curves of learning fall."""
    look = {"yanchor": "top", "yshift": -4, "opacity": 0.85}
    return [
        note(
            _(NAME), fill="background", x=axis.place(end), y=scale.place(perplexity_of(end.nats)), xanchor=axis.side(end), **look
        )
        for end in points[-1:]
    ]


class ExpectationStatus(TypedDict):
    """What stands below the chart: whether a line can be drawn, is being drawn, or is there; and how far off it was."""

    can: bool
    drawing: bool
    drawn: bool
    serial: int  # of the line that is there
    across: str
    says: str


def expectation_status(
    expectation: Expectation | None, judged: Sequence[Point], *, drawing: bool, across: str
) -> ExpectationStatus:
    compared = outcome(expectation, judged) if expectation else None
    return {
        "can": across != NOT_OVER,
        "drawing": drawing,
        "drawn": expectation is not None,
        "serial": expectation.serial if expectation else 0,
        "across": across,
        "says": _comparison(compared) if compared else "",
    }


def _comparison(compared: Outcome) -> str:
    """How far off the line was, in a plain sentence."""
    both = {"n": count(compared.update), "expected": number(compared.expected), "found": number(compared.found)}
    if not math.isfinite(compared.factor):
        return _("At update {n} you expected {expected}, it is {found}.", **both)
    factor = max(compared.factor, 1 / compared.factor)
    if factor < NEAR:
        return _("At update {n} you expected {expected}, it is {found}: nearly right.", **both)
    both["factor"] = number(factor)
    if compared.factor > 1:
        return _("At update {n} you expected {expected}, it is {found}: your line is too low, by a factor of {factor}.", **both)
    return _("At update {n} you expected {expected}, it is {found}: your line is too high, by a factor of {factor}.", **both)
