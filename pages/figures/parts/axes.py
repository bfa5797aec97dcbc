"""The axes of a chart: positions of values, ends, and ticks.

They are plotly's own: on a logarithmic one, curves have values, but ends, as well as annotations, are places, log10 of values. A
value without a logarithm is a gap. A logarithmic axis of updates shows 0, the untrained network, at the left.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.config.language import gettext as _
from pages.figures.parts.numbers import amount, number, power
from pages.figures.parts.style import Part

UNTRAINED_SHARE = 0.6  # updates: the position of the untrained network on a logarithmic axis
DECADES = 16  # on both sides of the value that stays visible; curves are clipped beyond them
TICKS = 8  # of an axis, about
DOT_MARGIN = 0.035  # of an axis: room for a dot at its end
COARSE = (1, 2, 5)  # ticks of a decade
FINEST = (1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9)
TICK_STEPS = (COARSE, (1, 2, 3, 5, 7), (1, 1.2, 1.5, 2, 3, 5, 7), FINEST)  # for short axes, in the order in which they are tried
MIN_TICKS = 3  # ticks needed to read the values between them
CACHED = 2**15  # rounded numbers of the curves of about fifty readers: every update of a chart draws all of them again
Ticks = Sequence[tuple[float, str]]


@dataclass(frozen=True)
class Axis:
    """Places run from ``low`` to ``high``; on a logarithmic axis they are log10 of the values.

    ``ticks`` are (value, label); without them the browser chooses. ``unit`` is the name of a value in tooltips.
    ``zero`` is the value at which 0 is drawn on a logarithmic axis; by default, 0 is not drawn.
    """

    title: str
    low: float
    high: float
    log: bool = True
    ticks: Ticks = ()
    unit: str = ""
    zero: float = 0.0

    def drawn(self, value: float) -> float | None:
        """A value as a curve has it, with six digits; None if it has no logarithm or is not finite."""
        if self.log:
            value = value or self.zero
        return six_digits(value) if math.isfinite(value) and (value > 0 or not self.log) else None

    def place(self, value: float) -> float:
        """The place of a value that has one."""
        return math.log10(value or self.zero) if self.log else value

    def fraction(self, value: float) -> float:
        """The place of a value as a fraction of the axis, 0 at its low end to 1; beyond an end it is clipped to it."""
        return (min(max(self.place(value), self.low), self.high) - self.low) / (self.high - self.low)

    def ends(self) -> list[float]:
        """The values at both ends."""
        return [float(f"{10.0**end:.10g}") if self.log else end for end in (self.low, self.high)]

    def to_plotly(self) -> Part:
        """Plotly's type, range and ticks."""
        ticks = {"tickvals": [value for value, _ in self.ticks], "ticktext": [words for _, words in self.ticks], "tickangle": 0}
        return {"type": "log" if self.log else "linear", "range": [self.low, self.high]} | (ticks if self.ticks else {})


@lru_cache(CACHED)
def six_digits(number: float) -> float:
    """A number with six significant digits: a curve of them is shorter to send."""
    return float(f"{number:.6g}")


def log_fraction(value: float, largest: float, decades: float) -> float:
    """The position of a value on a log scale from ``decades`` below ``largest`` (0) to ``largest`` (1); 1 if not finite."""
    if not math.isfinite(value):
        return 1.0
    if value <= 0 or largest <= 0:
        return 0.0
    return min(max(1 + (math.log10(value) - math.log10(largest)) / decades, 0.0), 1.0)


def updates_axis(last: float, title: str = "") -> Axis:
    """A logarithmic axis of updates 0 to ``last``, with 0 at the left; its title is "updates (log scale)" by default."""
    zero, end = math.log10(UNTRAINED_SHARE), max(1.0, math.log10(max(last, 1)))
    ticks = [(UNTRAINED_SHARE, "0"), *((10.0**power, amount(10.0**power)) for power in range(math.floor(end + 0.05) + 1))]
    return Axis(title or _("updates (log scale)"), zero - 0.05, end + 0.05, ticks=ticks, unit=_("update"), zero=UNTRAINED_SHARE)


def linear_axis(title: str, values: Iterable[float], room: float = 0.015) -> Axis:
    """A linear axis from the smallest to the largest of the values, plus ``room`` times its length at both ends."""
    values = list(values)
    low, high = min(values, default=0), max(values, default=1)
    room = room * (high - low) or 0.5
    return Axis(title, low - room, high + room, log=False)


def axis_from_zero(title: str, values: Iterable[float]) -> Axis:
    """A linear axis that includes zero."""
    finite = [value for value in values if math.isfinite(value)]
    low, high = min(finite, default=0.0), max(finite, default=0.0)
    return Axis(title, min(low, 0.0), 1.08 * high if high > 0 else 1.0, log=False)


def log_axis(title: str, values: Iterable[float], start: float | None = None) -> Axis:
    """A logarithmic axis of powers of ten that includes the values, up to ``DECADES`` on both sides of ``start``.

    ``start`` is a value that stays visible even if curves leave the plot; by default, the largest value.
    """
    places = [math.log10(value) for value in values if value > 0 and math.isfinite(value)]
    if not places:
        return Axis(title, -1.0, 1.0, ticks=power_ticks(-1.0, 1.0))
    low, high = min(places), max(places)
    kept = high if start is None else math.log10(start)
    low, high = max(min(low, kept), kept - DECADES), min(max(high, kept), kept + DECADES)
    room = 0.06 * (high - low) + 0.2
    return Axis(title, low - room, high + room, ticks=power_ticks(low - room, high + room))


def log_axis_between(title: str, low: float, high: float) -> Axis:
    """A logarithmic axis between two values; the fewer decades, the more ticks in each."""
    return Axis(title, math.log10(low), math.log10(high), ticks=readable_ticks(low, high))


def log_ticks(low: float, high: float, steps: Sequence[float] = COARSE) -> Ticks:
    """Ticks at these ``steps`` of every decade between two values."""
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    values = [float(f"{step * 10.0**e:g}") for e in exponents for step in steps]
    return [(value, amount(value)) for value in values if low <= value <= high]


def readable_ticks(low: float, high: float) -> Ticks:
    """Ticks at 1, 2 and 5 of every decade between two values; at finer steps if these are fewer than ``MIN_TICKS``."""
    found = (log_ticks(low, high, steps) for steps in TICK_STEPS)
    return next((ticks for ticks in found if len(ticks) >= MIN_TICKS), log_ticks(low, high, FINEST))


def linear_ticks(low: float, high: float) -> Ticks:
    """Ticks between two values, at most ``TICKS`` steps of 1, 2 or 5 times a power of ten."""
    least = (high - low) / TICKS
    decade = 10.0 ** math.floor(math.log10(least))
    step = next(decade * step for step in (1, 2, 5, 10) if decade * step >= least)
    places = [float(f"{step * i:.6g}") for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]
    return [(place, amount(place)) for place in places]


def power_ticks(low: float, high: float) -> Ticks:
    """Ticks at powers of ten between two places, written out from 0.001 to 1000; at 1, 2 and 5 of every decade if these are
    fewer than two."""
    every = max(1, math.ceil((high - low) / TICKS))
    exponents = [e for e in range(math.ceil(low), math.floor(high) + 1) if e % every == 0]
    if len(exponents) > 1:
        return [(10.0**e, number(10.0**e, 1) if abs(e) <= 3 else power(e)) for e in exponents]
    return log_ticks(10.0**low, 10.0**high)
