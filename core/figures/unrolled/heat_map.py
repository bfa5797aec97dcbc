"""All units over time: what the heat map shows, and where the units of the drawing stand in it."""

import base64
from typing import Any

import numpy as np

from core.analysis.unrolled import Unrolled
from core.figures.parts.network import hundredths, limit_of
from core.figures.parts.numbers import count, signed
from core.figures.unrolled.units import Units


def heat_map(u: Unrolled, units: Units) -> dict[str, Any]:
    """The states of all units (of the liveliest, where there are too many) over time, and which of them the drawing shows."""
    values = np.array(hundredths(u.h[1:, units.mapped], limit_of(u)), np.int8)
    H, limit = u.h.shape[1], limit_of(u)
    return {
        "title": f"All {count(H)} units" if len(units.mapped) == H else f"{len(units.mapped)} of {count(H)} units",
        "units": units.mapped,
        "states": base64.b64encode(values.tobytes()).decode(),  # (T, units), signed bytes: hundredths of the limit
        "drawn": [units.mapped.index(unit) for unit in units.drawn],
        "limit": limit,
        "ends": [signed(limit, 0 if limit == 1 else 1), "0", signed(-limit, 0 if limit == 1 else 1)],
    }
