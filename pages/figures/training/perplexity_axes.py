"""Both axes of the perplexity chart, logarithmic or linear, and its curves and dots."""

import bisect
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from core.config.language import gettext as _, lazy_gettext
from core.config.settings import Settings
from core.models.loss import perplexity_of
from core.training.curves import Point
from pages.figures.parts.axes import CACHED, UNTRAINED_SHARE, Axis, linear_ticks, readable_ticks, six_digits
from pages.figures.parts.chart import note, scatter
from pages.figures.parts.numbers import amount
from pages.figures.parts.style import Part, Parts, colour

ROUND_NUMBERS = (1, 1.2, 1.5, 2, 3, 5, 7, 10)  # possible ends of an axis in a decade
LEFT_OF_ZERO = 0.03  # of a linear axis: room for the dot of the untrained network
HIGHEST = 1e12  # larger perplexities are drawn as this one, outside every chart
IN_LEGEND = {"showlegend": True}
TEXT_HOVER = {"hovertemplate": "%{text}<extra></extra>"}
AXIS_TITLES = {
    "updates": lazy_gettext("updates"),
    "epochs": lazy_gettext("epochs"),
    "tokens": lazy_gettext("tokens read"),
    "seconds": lazy_gettext("seconds of computing"),
}
FIELD = {"updates": "update", "epochs": "epoch", "tokens": "tokens", "seconds": "seconds"}  # of a Point


@dataclass(frozen=True, kw_only=True)
class PointAxis(Axis):
    """The horizontal axis of ``across``: updates, epochs, tokens or seconds; one update takes ``per_update`` of them."""

    across: str
    per_update: float

    def value(self, point: Point) -> float:
        return max(six_digits(getattr(point, FIELD[self.across])), self.zero)

    def at(self, point: Point) -> float:
        """The place of a point."""
        return self.place(self.value(point))

    def side(self, point: Point) -> str:
        """The ``xanchor`` of a text at the point, so that the text stays inside the chart."""
        return "right" if self.fraction(self.value(point)) > 0.5 else "left"


def point_axis(
    judged: Sequence[Point], ends: Sequence[Point], settings: Settings, updates_per_epoch: int, at_edge: Sequence[Point]
) -> PointAxis:
    """The horizontal axis, whose end grows in steps, so that it rarely changes.

    ``judged``: for the seconds per update. ``ends``: last points of curves; ``at_edge``: of curves that may touch the edge.
    """
    timed = [point for point in judged if point.update and point.seconds]
    per_update = {
        "updates": 1.0,
        "epochs": 1 / updates_per_epoch,
        "tokens": float(settings.batch_size * settings.num_steps),
        "seconds": timed[0].seconds / timed[0].update if timed else 0.01,
    }[settings.across]
    log, across = settings.scale == "log", _(AXIS_TITLES[settings.across])
    title = _("{quantity} (log scale)", quantity=across) if log else across
    zero = UNTRAINED_SHARE * per_update if log else 0.0
    axis = PointAxis(title, 0.0, 1.0, log, zero=zero, across=settings.across, per_update=per_update)
    last = max([axis.value(end) for end in ends] + [10 * per_update])
    right = round_up(max([last * 1.02, *map(axis.value, at_edge)]))
    if not log:
        return replace(axis, low=-LEFT_OF_ZERO * right, high=right, ticks=linear_ticks(0.0, right))
    first, end = math.ceil(math.log10(per_update) - 1e-9), math.ceil(math.log10(right))
    ticks = [(zero, "0"), *[(10.0**e, amount(10.0**e)) for e in range(first, end + 1)]]
    return replace(axis, low=math.log10(zero * 0.85), high=math.log10(right), ticks=ticks)


class PerplexityAxis(Axis):
    """The vertical axis."""

    @property
    def top(self) -> float:
        """The highest perplexity of the chart."""
        return self.ends()[1]

    def position(self, perplexity: float) -> Part:
        """The y of a label at its place, so that a label stays at its perplexity on zoom; clipped to both ends."""
        return {"yref": "y", "y": min(max(round(self.place(self.clipped(perplexity)), 4), self.low), self.high)}

    def above(self, perplexity: float, share: float) -> float:
        """The perplexity that is drawn higher by ``share`` of the axis, 0 to 1."""
        more = share * (self.high - self.low)
        return perplexity * 10**more if self.log else perplexity + more

    def clipped(self, perplexity: float) -> float:
        """The perplexity, or the end of the axis beyond which it is; the upper one for NaN."""
        low, high = self.ends()
        return max(perplexity, low) if perplexity <= high else high

    def is_above(self, point: Point) -> bool:
        """Whether a point is above the chart, infinite, or NaN."""
        return not point.perplexity <= self.top


def perplexity_axis(low: float, high: float, *, log: bool) -> PerplexityAxis:
    """The vertical axis, from ``low`` on a logarithmic axis and from 0 on a linear one, to ``high``."""
    if not log:
        return PerplexityAxis(_("perplexity"), 0.0, high, log, linear_ticks(0.0, high))
    return PerplexityAxis(_("perplexity (log scale)"), math.log10(low), math.log10(high), ticks=readable_ticks(low, high))


def round_up(value: float) -> float:
    """The smallest number of ``ROUND_NUMBERS``, in any decade, that is not below ``value``."""
    decade = 10 ** math.floor(math.log10(value))
    return decade * ROUND_NUMBERS[bisect.bisect_left(ROUND_NUMBERS, value / decade - 1e-9)]


def round_down(value: float) -> float:
    """The largest number of ``ROUND_NUMBERS``, in any decade, that is not above ``value``."""
    decade = 10 ** math.floor(math.log10(value))
    return decade * ROUND_NUMBERS[bisect.bisect_right(ROUND_NUMBERS, value / decade + 1e-9) - 1]


def curve(points: Sequence[Point], axis: PointAxis, name: str, *, width: float, opacity: float = 1.0) -> Part:
    """The exponential of the points' nats per token, as a line with update and perplexity in the tooltip."""
    hover = _("{name}<br>update {n}: <b>{perplexity}</b>", name=name, n="%{customdata}", perplexity="%{y:.3~r}")
    x, y, updates = [axis.value(p) for p in points], [_height(p.nats) for p in points], [p.update for p in points]
    line = {"color": colour("forward"), "width": width}
    return scatter(name, x, y, hover=hover, customdata=updates, line=line, opacity=opacity, showlegend=False)


def dots(points: Sequence[Point], axis: PointAxis, name: str, marker: Part, **look: Any) -> Parts:
    """Points without a line, not clipped at the edges; an empty list without points."""
    look = {"mode": "markers", "cliponaxis": False, "marker": marker} | look
    return [curve(points, axis, name, width=0) | look] if points else []


def label(text: str, x: float, y: float, *, size: int = 13, opacity: float = 0.85, **place: Any) -> Part:
    """A text in the plot, at the coordinates of an annotation, with a background so that curves do not strike it through."""
    return note(text, size, fill="background", opacity=opacity, x=x, y=y, **place)


@lru_cache(CACHED)
def _height(nats: float) -> float | None:
    """The perplexity with four significant digits; None (a gap in the line) for NaN."""
    return None if math.isnan(nats) else float(f"{min(perplexity_of(nats), HIGHEST):.4g}")
