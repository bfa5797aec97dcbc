"""Which units of a text are shown, and in which order: found once per text, so that a unit keeps its place."""

from typing import NamedTuple

from core.analysis.unrolled import Unrolled, highest_first
from core.figures.parts.network import UNITS

MAPPED = 256  # rows of the heat map, at most
LISTED = 8  # units in numbers


class Units(NamedTuple):
    """Numbers of units, the highest mean state first: those of the heat map, of these those of the strips, and of these those
    that are listed in numbers."""

    mapped: list[int]
    drawn: list[int]
    listed: list[int]


def units_of(u: Unrolled) -> Units:
    """The liveliest units of this text."""
    return Units(*(highest_first(u.h[1:], count).tolist() for count in (MAPPED, UNITS, LISTED)))
