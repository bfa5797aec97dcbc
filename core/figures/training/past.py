"""The moment that the reader looks back at: a line through the perplexity chart, a ring on the curve, and its update."""

from typing import Any

from core.figures.parts.numbers import count
from core.figures.parts.style import colour
from core.figures.training.perplexity_axes import Axis, curve
from core.figures.training.reference_lines import Scale
from core.training.curves import Point

GOES = {"meta": "go"}  # a click on such a curve looks back to the update in its customdata


def past_line(past: Point | None, axis: Axis) -> list[dict[str, Any]]:
    """From top to bottom."""
    if not past:
        return []
    x = axis.at(past)
    line = {"color": colour("forward"), "width": 2}
    return [{"type": "line", "x0": x, "x1": x, "yref": "paper", "y0": 0, "y1": 1, "line": line}]


def past_ring(past: Point | None, axis: Axis, scale: Scale) -> list[dict[str, Any]]:
    """Where the held-out perplexity was then; at the edge where that is above the chart."""
    if not past:
        return []
    ring = curve([past], axis, "looking back", width=0)
    look = {"size": 18, "color": colour("background"), "line": {"color": colour("forward"), "width": 4}}
    y = [min(value, scale.high) if value is not None else scale.high for value in ring["y"]]
    return [ring | {"y": y, "mode": "markers", "cliponaxis": False, "marker": look}]


def past_label(past: Point | None, axis: Axis) -> list[dict[str, Any]]:
    """Which update it is, at the foot of the line."""
    if not past:
        return []
    side = axis.side(past)
    return [
        {
            "x": axis.place(past),
            "xanchor": side,
            "xshift": 1 if side == "left" else -1,
            "yref": "paper",
            "y": 0,
            "yanchor": "bottom",
            "text": f"looking back: update {count(past.update)}",
            "showarrow": False,
            "bgcolor": colour("forward"),
            "borderpad": 3,
            "font": {"size": 14, "color": colour("background")},
        }
    ]
