"""Where knobs were moved: thin lines through the perplexity chart, the newest one named above it, the others where the pointer
rests."""

from collections.abc import Sequence
from typing import Any

from core.figures.parts import words
from core.figures.parts.style import colour, escape
from core.figures.training.perplexity_axes import Axis
from core.training.history import Flag


def flag_lines(flags: Sequence[Flag], axis: Axis) -> list[dict[str, Any]]:
    """One for each place: faint, so that the curve stays visible through many of them."""
    return [
        {
            "type": "line",
            "x0": x,
            "x1": x,
            "yref": "paper",
            "y0": 0,
            "y1": 1,
            "line": {"color": colour("text"), "width": 1},
            "opacity": 0.4,
        }
        for x in _said(flags, axis)
    ]


def flag_marks(flags: Sequence[Flag], axis: Axis, top: float) -> list[dict[str, Any]]:
    """A pennant at the top of each line, at perplexity ``top``; it tells which knobs were moved there."""
    said = _said(flags, axis)
    if not said:
        return []
    updates = {axis.at(flag.point): flag.point.update for flag in flags}
    return [
        {
            "type": "scatter",
            "mode": "markers",
            "name": "moved",
            "x": list(said),
            "y": [top] * len(said),
            "text": list(said.values()),
            "customdata": list(updates.values()),
            "hovertemplate": "%{text}<extra></extra>",
            "marker": {"symbol": "triangle-down", "size": 10, "color": colour("text")},
            "cliponaxis": False,
            "showlegend": False,  # it is named where it stands
        }
    ]


def flag_label(flags: Sequence[Flag], axis: Axis) -> list[dict[str, Any]]:
    """What was moved last, above the plot."""
    return [
        {
            "x": axis.place(flag.point),
            "xanchor": axis.side(flag.point),
            "yref": "paper",
            "y": 1,
            "yanchor": "bottom",
            "yshift": 5,
            "text": escape(words.moved(flag.name, flag.old, flag.new)),
            "showarrow": False,
            "name": str(flag.point.update),
            "captureevents": True,
            "bgcolor": colour("text"),
            "borderpad": 3,
            "font": {"size": 14, "color": colour("background")},
        }
        for flag in flags[-1:]
    ]


def _said(flags: Sequence[Flag], axis: Axis) -> dict[float, str]:
    """The moves at each place of the axis, in words."""
    said: dict[float, list[str]] = {}
    for flag in flags:
        said.setdefault(axis.at(flag.point), []).append(escape(words.moved(flag.name, flag.old, flag.new)))
    return {x: "<br>".join(moves) for x, moves in said.items()}
