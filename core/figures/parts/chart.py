"""What small charts have in common: a layout with named axes, a line, and its name at the right edge."""

from collections.abc import Sequence
from typing import Any

from core.figures.parts.style import FONT, colour, escape

Figure = dict[str, Any]
AXIS = {
    "zeroline": False,
    "showline": True,
    "linecolor": colour("muted"),
    "ticks": "outside",
    "tickcolor": colour("muted"),
    "fixedrange": True,
}
MARGIN = {"l": 62, "r": 128, "t": 20, "b": 54}
LABEL_HEIGHT = 20  # px of one line of a label


def layout(x_title: str, y_title: str, *, height: int = 300, right: int = MARGIN["r"]) -> Figure:
    """Axes with their titles and units, no grid upright, nothing that can be dragged away."""
    return {
        "height": height,
        "margin": MARGIN | {"r": right},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": False,
        "font": {"family": FONT, "size": 14, "color": colour("muted")},
        "hoverlabel": {
            "font": {"family": FONT, "size": 14, "color": colour("text")},
            "bgcolor": colour("raised"),
            "bordercolor": colour("line"),
        },
        "xaxis": AXIS | {"showgrid": False, "title": title(x_title)},
        "yaxis": AXIS | {"gridcolor": colour("line"), "title": title(y_title)},
    }


def title(text: str) -> Figure:
    return {"text": escape(text), "standoff": 6, "font": {"size": 14}}


def line(
    x: Sequence[float], y: Sequence[float | None], name: str, tone: str, *, dash: str = "solid", width: float = 3, hover: str = ""
) -> Figure:
    """A curve; ``hover`` is what is said at a point, with %{x} and %{y}."""
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": list(x),
        "y": list(y),
        "hovertemplate": (hover or f"{escape(name)}: %{{y}}") + "<extra></extra>",
        "line": {"color": tone, "dash": dash, "width": width},
    }


def end_labels(names: Sequence[tuple[str, str, float]], height: int) -> list[Figure]:
    """Names at the right edge, (text, colour, share of the plot's height) each, pushed apart where they would overlap."""
    plot = height - MARGIN["t"] - MARGIN["b"]
    ranked = sorted(names, key=lambda name: -name[2])
    sizes = [LABEL_HEIGHT * (1.0 + text.count("<br>")) for text, _, _ in ranked]
    middles = spread([plot * share for _, _, share in ranked], sizes)
    return [
        {
            "xref": "paper",
            "x": 1,
            "xanchor": "left",
            "xshift": 6,
            "yref": "paper",
            "y": middle / plot,
            "yanchor": "middle",
            "align": "left",
            "text": text,
            "showarrow": False,
            "font": {"size": 14, "color": tone},
        }
        for (text, tone, _), middle in zip(ranked, middles, strict=True)
    ]


def spread(heights: list[float], sizes: list[float]) -> list[float]:
    """Descending middles pushed apart so that labels of these sizes do not overlap; a sweep down, then one up from the foot."""
    placed: list[float] = []
    for i, height in enumerate(heights):
        placed.append(min(height, placed[-1] - (sizes[i - 1] + sizes[i]) / 2) if placed else height)
    for i in range(len(placed) - 1, -1, -1):
        above_next = placed[i + 1] + (sizes[i] + sizes[i + 1]) / 2 if i + 1 < len(placed) else 2.0
        placed[i] = max(placed[i], above_next)
    return placed
