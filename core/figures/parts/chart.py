"""What all charts have in common: a layout with named axes, and curves over them with their names at the right edge."""

from collections.abc import Sequence
from typing import NamedTuple

from core.figures.parts.axes import Axis
from core.figures.parts.names import beside_plot
from core.figures.parts.numbers import count, number
from core.figures.parts.style import FONT, Scene, colour, escape

Figure = Scene
AXIS = {
    "zeroline": False,
    "showline": True,
    "linecolor": colour("muted"),
    "ticks": "outside",
    "tickcolor": colour("muted"),
    "fixedrange": True,
}
MARGIN = {"l": 62, "r": 128, "t": 20, "b": 54}  # px
HEIGHT = 320  # px
BEST = "12px 3px 2px 3px"  # dashes of the best possible


class Curve(NamedTuple):
    """Values over ``x``, how they are drawn, and what stands at their end (a ``<br>`` breaks its line; "" for none).

    ``said`` is what is said at each point, where that is more than the name and both values.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    tone: str = "backward"
    dash: str = "solid"
    width: float = 3
    opacity: float = 1.0
    label: str = ""
    label_tone: str = ""  # that of the curve, without one
    mode: str = "lines"
    size: float = 9  # px of a marker
    said: Sequence[str] = ()
    shape: str = "linear"  # plotly's: "hvh" is level around every point


def chart(curves: Sequence[Curve], x: Axis, y: Axis, *, height: int = HEIGHT, right: int = 138, unit: str = "") -> Figure:
    """All curves over one pair of axes. ``unit`` stands behind a value that the pointer rests on.

    ``right`` is the room for names, px; without names there is less.
    """
    heights = [[y.place(value) for value in curve.y] for curve in curves]
    names = [
        beside_plot(curve.label, {"yref": "paper", "y": share}, curve.label_tone or curve.tone, line=curve.tone)
        for curve, column in zip(curves, heights, strict=True)
        if curve.label and (ends := [y.share(place) for place in column if place is not None])
        for share in ends[-1:]
    ]
    made = layout(x.title, y.title, height=height, right=right if names else MARGIN["l"] // 2)
    made["xaxis"] |= x.drawn()
    made["yaxis"] |= y.drawn()
    if any("<br>" in words for _, words in x.ticks):
        below_two_lines(made)
    made["annotations"] = names
    return {"data": [_drawn(curve, column, x, unit) for curve, column in zip(curves, heights, strict=True)], "layout": made}


def _drawn(curve: Curve, heights: Sequence[float | None], x: Axis, unit: str) -> Figure:
    alone = sum(place is not None for place in heights) == 1
    where = f"{escape(curve.name)}, {x.says} %{{customdata}}" if x.says else f"{escape(curve.name)}<br>%{{x}}"
    hover = "%{text}" if curve.said else f"{where}: <b>%{{text}}</b>{escape(unit)}"
    return {
        "type": "scatter",
        "mode": "markers" if alone else curve.mode,
        "name": escape(curve.name),
        "x": [x.place(value) for value in curve.x],
        "y": heights,
        "text": list(curve.said) or [number(v) if at is not None else "" for v, at in zip(curve.y, heights, strict=True)],
        "hovertemplate": f"{hover}<extra></extra>",
        "line": {"color": colour(curve.tone), "width": curve.width, "dash": curve.dash, "shape": curve.shape},
        "marker": {"color": colour(curve.tone), "size": curve.size},
        "opacity": curve.opacity,
    } | ({"customdata": [count(value) for value in curve.x]} if x.says and not curve.said else {})


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


def below_two_lines(figure: Figure) -> None:
    """The title of the axis across stands clear of ticks of two lines."""
    figure["xaxis"]["title"] |= {"standoff": 20}
    figure["margin"] |= {"b": 70}


def title(text: str) -> Figure:
    """The title of an axis, safe to show whatever the text holds."""
    return {"text": escape(text), "standoff": 6, "font": {"size": 14}}


def upright(x: float, tone: str, dash: str, layer: str = "below") -> Figure:
    """A border across the plot, below the curves or above them."""
    line = {"color": colour(tone), "width": 2, "dash": dash}
    return {"type": "line", "yref": "paper", "x0": x, "x1": x, "y0": 0, "y1": 1, "line": line, "layer": layer}
