"""Both axes of the perplexity chart, logarithmic or linear, and its curves and dots."""

import bisect
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from core.config.language import gettext as _
from core.config.settings import Settings
from core.models.loss import perplexity_of
from core.training.curves import Point
from pages.figures.parts.axes import UNTRAINED_SHARE, Ticks, linear_ticks, readable_ticks
from pages.figures.parts.chart import note, scatter
from pages.figures.parts.numbers import amount
from pages.figures.parts.style import Part, Parts, colour

ROUND_NUMBERS = (1, 1.2, 1.5, 2, 3, 5, 7, 10)  # possible ends of an axis in a decade
LEFT_OF_ZERO = 0.03  # of a linear axis: room for the dot of the untrained network
HIGHEST = 1e12  # larger perplexities are drawn as this one, outside every chart
CACHED = 2**15  # rounded numbers of the curves of about fifty readers: every update of a chart draws all of them again
IN_LEGEND = {"showlegend": True}
TEXT_HOVER = {"hovertemplate": "%{text}<extra></extra>"}
FIELD = {"updates": "update", "epochs": "epoch", "tokens": "tokens", "seconds": "seconds"}  # of a Point


@dataclass(frozen=True)
class ChartAxis:
    """Plotly's own logarithmic or linear axis, from one value to another."""

    log: bool
    low: float
    high: float

    def place(self, value: float) -> float:
        """The coordinate of an annotation in plotly: log10 on a logarithmic axis."""
        return math.log10(value) if self.log else value

    def ends(self) -> tuple[float, float]:
        """The coordinates of both ends."""
        return self.place(self.low), self.place(self.high)


@dataclass(frozen=True)
class PointAxis(ChartAxis):
    """The horizontal axis of ``across``: updates, epochs, tokens or seconds; one update takes ``unit`` of them."""

    across: str
    unit: float

    @property
    def zero(self) -> float:
        """The value at which the untrained network is drawn."""
        return UNTRAINED_SHARE * self.unit if self.log else 0.0

    def value(self, point: Point) -> float:
        return max(_six_digits(getattr(point, FIELD[self.across])), self.zero)

    def at(self, point: Point) -> float:
        """The coordinate of a point, for an annotation in plotly."""
        return self.place(self.value(point))

    def side(self, point: Point) -> str:
        """The ``xanchor`` of a text at the point, so that the text stays inside the chart."""
        low, high = self.ends()
        return "right" if (self.at(point) - low) / (high - low) > 0.5 else "left"

    def ticks(self) -> Ticks:
        if not self.log:
            return linear_ticks(0.0, self.high)
        first, last = math.ceil(math.log10(self.unit) - 1e-9), math.ceil(math.log10(self.high))
        return [(self.zero, "0"), *[(10.0**e, amount(10.0**e)) for e in range(first, last + 1)]]


def point_axis(
    judged: Sequence[Point], ends: Sequence[Point], settings: Settings, updates_per_epoch: int, at_edge: Sequence[Point]
) -> PointAxis:
    """The horizontal axis, whose end grows in steps, so that it rarely changes.

    ``judged``: for the seconds per update. ``ends``: last points of curves; ``at_edge``: of curves that may touch the edge.
    """
    timed = [point for point in judged if point.update and point.seconds]
    unit = {
        "updates": 1.0,
        "epochs": 1 / updates_per_epoch,
        "tokens": float(settings.batch_size * settings.num_steps),
        "seconds": timed[0].seconds / timed[0].update if timed else 0.01,
    }[settings.across]
    axis = PointAxis(log=settings.scale == "log", low=0.0, high=0.0, across=settings.across, unit=unit)
    last = max([axis.value(end) for end in ends] + [10 * unit])
    right = round_up(max([last * 1.02, *map(axis.value, at_edge)]))
    return replace(axis, low=axis.zero * 0.85 if axis.log else -LEFT_OF_ZERO * right, high=right)


class PerplexityAxis(ChartAxis):
    """The vertical axis."""

    def position(self, perplexity: float) -> Part:
        """The y of a label in data coordinates, so that a label stays at its perplexity on zoom; clipped to both ends."""
        low, high = self.ends()
        return {"yref": "y", "y": min(max(round(self.place(self.clipped(perplexity)), 4), low), high)}

    def above(self, perplexity: float, share: float) -> float:
        """The perplexity that is drawn higher by ``share`` of the axis, 0 to 1."""
        return perplexity * (self.high / self.low) ** share if self.log else perplexity + share * (self.high - self.low)

    def ticks(self) -> Ticks:
        """Perplexities and their labels."""
        if not self.log:
            return linear_ticks(self.low, self.high)
        return [(float(f"{10**place:.6g}"), text) for place, text in readable_ticks(self.low, self.high)]

    def clipped(self, perplexity: float) -> float:
        """The perplexity, or the end of the axis beyond which it is; the upper one for NaN."""
        return max(perplexity, self.low) if perplexity <= self.high else self.high

    def is_above(self, point: Point) -> bool:
        """Whether a point is above the chart, infinite, or NaN."""
        return not point.perplexity <= self.high


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
def _six_digits(number: float) -> float:
    return float(f"{number:.6g}")


@lru_cache(CACHED)
def _height(nats: float) -> float | None:
    """The perplexity with four significant digits; None (a gap in the line) for NaN."""
    return None if math.isnan(nats) else float(f"{min(perplexity_of(nats), HIGHEST):.4g}")
