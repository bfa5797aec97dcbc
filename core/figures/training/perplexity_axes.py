"""The axes of the perplexity curve, both logarithmic, and one curve between them."""

import bisect
import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from core.config.settings import Settings
from core.figures.parts.axes import NOTHING
from core.figures.parts.numbers import tick
from core.figures.parts.style import colour
from core.models.loss import perplexity_of
from core.training.curves import Point

LADDER = (1, 1.2, 1.5, 2, 3, 5, 7, 10)  # where an axis may end, per decade
HIGHEST = 1e12  # what is above is drawn there: out of every picture
DRAWN = 2**15  # numbers remembered, of some fifty readers' curves: each is drawn at every look for as long as its run goes on
IN_LEGEND = {"showlegend": True}
FIELD = {"updates": "update", "epochs": "epoch", "tokens": "tokens", "seconds": "seconds"}  # of a Point


class Axis:
    """The horizontal axis: the position of a point, and where the axis ends (it grows in steps, so that it rarely jumps)."""

    def __init__(
        self,
        judged: Sequence[Point],
        ends: Sequence[Point],
        settings: Settings,
        across: str,
        updates_per_epoch: int,
        at_edge: Sequence[Point] = (),
    ) -> None:
        """``judged`` gives the pace; ``ends`` are the last points of what is drawn, ``at_edge`` of what may touch the edge."""
        self.across, self._field = across, FIELD[across]
        past = [point for point in judged if point.update and point.seconds]
        self.unit = {  # the length of one update
            "updates": 1.0,
            "epochs": 1 / updates_per_epoch,
            "tokens": float(settings.batch_size * settings.num_steps),
            "seconds": past[0].seconds / past[0].update if past else 0.01,
        }[across]
        self._nothing = NOTHING * self.unit
        last = max([self.at(end) for end in ends] + [10 * self.unit])
        furthest = max([last * 1.02, *map(self.at, at_edge)])
        self.range = (math.log10(self._nothing * 0.85), math.log10(ladder_above(furthest)))

    def at(self, point: Point) -> float:
        return max(_place(getattr(point, self._field)), self._nothing)

    def place(self, point: Point) -> float:
        """Where plotly puts an annotation on this axis: log10."""
        return math.log10(self.at(point))

    def side(self, point: Point) -> str:
        """Which end of a text stands at the point, so that the text stays in the picture."""
        return "right" if (self.place(point) - self.range[0]) / (self.range[1] - self.range[0]) > 0.5 else "left"

    def ticks(self) -> tuple[list[float], list[str]]:
        first, last = math.ceil(math.log10(self.unit) - 1e-9), math.ceil(self.range[1])
        values = [10.0**e for e in range(first, last + 1)]
        return [self._nothing, *values], ["0", *[tick(value) for value in values]]


def ladder_above(value: float) -> float:
    """The least number of the ladder that is not below ``value``."""
    decade = 10 ** math.floor(math.log10(value))
    return decade * LADDER[bisect.bisect_left(LADDER, value / decade - 1e-9)]


def ladder_below(value: float) -> float:
    """The largest number of the ladder that is not above ``value``."""
    decade = 10 ** math.floor(math.log10(value))
    return decade * LADDER[bisect.bisect_right(LADDER, value / decade + 1e-9) - 1]


def curve(points: Sequence[Point], axis: Axis, name: str, *, width: float, opacity: float = 1.0) -> dict[str, Any]:
    """The exponential of the points' nats per token, as a line that says update and perplexity where the pointer rests."""
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": [axis.at(p) for p in points],
        "y": [_height(p.nats) for p in points],
        "customdata": [p.update for p in points],
        "hovertemplate": f"{name}<br>update %{{customdata}}: <b>%{{y:.3~r}}</b><extra></extra>",
        "line": {"color": colour("forward"), "width": width},
        "opacity": opacity,
        "showlegend": False,
    }


@lru_cache(DRAWN)
def _place(number: float) -> float:
    """In six figures."""
    return float(f"{number:.6g}")


@lru_cache(DRAWN)
def _height(nats: float) -> float | None:
    """The perplexity in four figures; None (a gap in the line) where it is no number."""
    return None if math.isnan(nats) else float(f"{min(perplexity_of(nats), HIGHEST):.4g}")
