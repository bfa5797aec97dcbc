"""All units over time as a heat map; which units are shown, and in which order."""

import base64
from typing import NamedTuple, TypedDict

import numpy as np

from core.analysis.unrolled import Unrolled, highest_first
from core.config.language import gettext as _
from core.figures.parts.network import UNITS, hundredths, limit_of
from core.figures.parts.numbers import count, signed

MAPPED = 256  # rows of the heat map, at most
LISTED = 8  # units in numbers


class Units(NamedTuple):
    """Numbers of units, the highest mean state first: those of the heat map, of these those of the strips, and of these those
    that are listed in numbers."""

    mapped: list[int]
    drawn: list[int]
    listed: list[int]


class HeatMap(TypedDict):
    """The states of all units (of the liveliest, where there are too many) over time."""

    title: str
    units: list[int]
    states: str  # (T, units), signed bytes in base64: hundredths of the limit
    drawn: list[int]  # places in units of those that the drawing shows
    limit: float
    ends: list[str]


def units_of(u: Unrolled) -> Units:
    """The liveliest units of a text: found once, so that a unit keeps its place."""
    return Units(*(highest_first(u.h[1:], count).tolist() for count in (MAPPED, UNITS, LISTED)))


def heat_map(u: Unrolled, units: Units) -> HeatMap:
    H, limit = u.h.shape[1], limit_of(u)
    values, digits = np.array(hundredths(u.h[1:, units.mapped], limit), np.int8), 0 if limit == 1 else 1
    return {
        "title": _title(len(units.mapped), H),
        "units": units.mapped,
        "states": base64.b64encode(values.tobytes()).decode(),
        "drawn": [units.mapped.index(unit) for unit in units.drawn],
        "limit": limit,
        "ends": [signed(limit, digits), "0", signed(-limit, digits)],
    }


def _title(shown: int, H: int) -> str:
    return _("All {H} units", H=count(H)) if shown == H else _("{n} of {H} units", n=shown, H=count(H))
