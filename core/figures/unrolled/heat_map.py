"""All units over time: what the heat map shows, and where the units of the drawing stand in it."""

import base64
from typing import Any

import numpy as np

from core.analysis.unrolled import Unrolled, liveliest
from core.figures.parts.network import UNITS, hundredths, limit_of
from core.figures.parts.numbers import count, signed

MOST = 256  # rows, at most


def heat_map(u: Unrolled) -> dict[str, Any]:
    """The states of all units (of the liveliest, where there are too many) over time, and which of them the drawing shows."""
    units = liveliest(u.h[1:], MOST)
    values = np.array(hundredths(u.h[1:, units], limit_of(u)), np.int8)
    H, limit = u.h.shape[1], limit_of(u)
    return {
        "title": f"All {count(H)} units" if len(units) == H else f"{len(units)} of {count(H)} units",
        "units": [] if len(units) == H else units.tolist(),
        "count": len(units),
        "states": base64.b64encode(values.tobytes()).decode(),  # (T, units), signed bytes: hundredths of the limit
        "drawn": np.searchsorted(units, liveliest(u.h[1:], UNITS)).tolist(),
        "limit": limit,
        "ends": [signed(limit, 0 if limit == 1 else 1), "0", signed(-limit, 0 if limit == 1 else 1)],
    }
