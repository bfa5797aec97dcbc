"""The base of all plotly charts: layout, curves with labels at the right edge, markers, lines and notes."""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypedDict

from core.config.language import gettext as _
from pages.figures.parts.axes import Axis
from pages.figures.parts.numbers import count, number
from pages.figures.parts.style import FONT, Part, colour, escape

AXIS = {
    "zeroline": False,
    "showline": True,
    "linecolor": colour("muted"),
    "ticks": "outside",
    "tickcolor": colour("muted"),
    "fixedrange": True,
}
CHART_MARGIN = {"l": 62, "r": 128, "t": 20, "b": 54}  # px
HEIGHT = 320  # px
BEST_DASH = "12px 3px 2px 3px"  # dashes of a line at the best possible value
LEGEND_ABOVE = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "font": {"size": 14}}  # above the plot
BARE = {"showgrid": False, "ticks": "", "showline": False}  # an axis with names only
LABEL_SHIFT = 14  # px from the plot to a label at its right edge
AT_EDGE = {"xref": "paper", "x": 1, "xanchor": "left", "yanchor": "middle", "align": "left"}  # position of a label, except for y


class Figure(TypedDict):
    """A plotly figure, its traces and its layout, with colour tokens."""

    data: list[Part]
    layout: Part


class Curve(NamedTuple):
    """Values over ``x``, their style, and the label at their end (``<br>`` breaks a line; "" for no label).

    ``hover`` is the tooltip of each point; without it, the tooltip has the name and both values.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    tone: str = "backward"
    dash: str = "solid"
    width: float = 3
    opacity: float = 1.0
    label: str = ""
    label_tone: str = ""  # default: ``tone``
    mode: str = "lines"
    size: float = 9  # px of a marker
    hover: Sequence[str] = ()
    shape: str = "linear"  # plotly's: "hvh" is horizontal around every point


def level_curve(name: str, y: float, x: Axis, tone: str, dash: str, *, text: str, label: str = "", label_tone: str = "") -> Curve:
    """A horizontal line from end to end of the axis ``x``, with the tooltip ``text``."""
    return Curve(name, x.ends(), [y] * 2, tone, dash, 2, label=label, label_tone=label_tone, hover=[text] * 2)


def chart(curves: Sequence[Curve], x: Axis, y: Axis, *, height: int = HEIGHT, right: int = 138, unit: str = "") -> Figure:
    """All curves over one pair of axes. ``unit`` follows the value in a tooltip.

    ``right`` is the margin for labels, px; without labels it is smaller.
    """
    data, names = [], []
    for curve in curves:
        heights = [y.drawn(value) for value in curve.y]
        data.append(_trace(curve, heights, x, unit))
        drawn = [value for value in heights if value is not None]
        if curve.label and drawn:
            position = {"yref": "paper", "y": y.fraction(drawn[-1])}
            names.append(edge_label(curve.label, position, curve.label_tone or curve.tone, line=curve.tone))
    made = layout(x.title, y.title, height=height, right=right if names else CHART_MARGIN["l"] // 2)
    made["xaxis"] |= x.to_plotly()
    made["yaxis"] |= y.to_plotly()
    if any("<br>" in words for _, words in x.ticks):
        below_two_lines(made)
    made["annotations"] = names
    return {"data": data, "layout": made}


def _trace(curve: Curve, heights: Sequence[float | None], x: Axis, unit: str) -> Part:
    alone = sum(value is not None for value in heights) == 1
    name = escape(curve.name)
    where = _("{name}, {unit} {value}", name=name, unit=x.unit, value="%{customdata}") if x.unit else f"{name}<br>%{{x}}"
    value = f"<b>%{{text}}</b> {escape(unit)}" if unit else "<b>%{text}</b>"
    shown = "%{text}" if curve.hover else _("{where}: {value}", where=where, value=value)
    made = scatter(
        name,
        [x.drawn(value) for value in curve.x],
        heights,
        mode="markers" if alone else curve.mode,
        hover=shown,
        text=list(curve.hover) or [number(v) if at is not None else "" for v, at in zip(curve.y, heights, strict=True)],
        line={"color": colour(curve.tone), "width": curve.width, "dash": curve.dash, "shape": curve.shape},
        marker={"color": colour(curve.tone), "size": curve.size},
        opacity=curve.opacity,
    )
    return made | ({"customdata": [count(value) for value in curve.x]} if x.unit and not curve.hover else {})


def scatter(name: str, x: Sequence[Any], y: Sequence[Any], *, mode: str = "lines", hover: str = "", **look: Any) -> Part:
    """A line or points; ``hover`` is plotly's template of the tooltip, "" for no tooltip."""
    pointer = {"hovertemplate": f"{hover}<extra></extra>"} if hover else {"hoverinfo": "skip"}
    return {"type": "scatter", "mode": mode, "name": name, "x": list(x), "y": list(y)} | pointer | look


def layout(x_title: str, y_title: str, *, height: int = 300, right: int = CHART_MARGIN["r"]) -> Part:
    """A layout: axes with titles, no vertical grid lines, no zooming or panning by dragging."""
    return {
        "height": height,
        "margin": CHART_MARGIN | {"r": right},
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


def below_two_lines(figure: Part) -> None:
    """Move the title of the x-axis below tick labels of two lines."""
    figure["xaxis"]["title"] |= {"standoff": 20}
    figure["margin"] |= {"b": 70}


def title(text: str) -> Part:
    """The title of an axis, with its text escaped."""
    return {"text": escape(text), "standoff": 6, "font": {"size": 14}}


def edge_label(text: str, position: Part, tone: str = "muted", *, line: str = "", size: int = 14, hover: str = "") -> Part:
    """A label at the right edge of the plot; ``live_figure/edges.js`` separates labels once the plot has its height.

    ``position``: the y of the curve in plotly's properties. A line in the colour ``line`` connects a moved label to its curve.
    """
    arrow = {"arrowhead": 0, "arrowwidth": 1, "arrowcolor": colour(line or tone), "startstandoff": 2}
    label = note(text, size, tone, **AT_EDGE, xshift=LABEL_SHIFT, yshift=0)
    return label | arrow | ({"hovertext": hover} if hover else {}) | position


def note(text: str, size: int = 14, tone: str = "text", fill: str = "", **place: Any) -> Part:
    """An annotation in the plot, on a background of the colour ``fill``; ``place`` are plotly's properties."""
    background = {"bgcolor": colour(fill)} if fill else {}
    return {"text": text, "showarrow": False, "font": {"size": size, "color": colour(tone)}} | background | place


def vertical_line(x: float, tone: str, width: float = 2, dash: str = "", **look: Any) -> Part:
    """A line from the bottom to the top of the plot."""
    return {"type": "line", "yref": "paper", "x0": x, "x1": x, "y0": 0, "y1": 1, "line": _stroke(tone, width, dash)} | look


def horizontal_line(y: float, tone: str, width: float, dash: str, ends: tuple[float, float] | None = None) -> Part:
    """A horizontal line below the curves, between the x of both ``ends`` or across the whole plot."""
    x0, x1 = ends or (0, 1)
    across = {} if ends else {"xref": "paper"}
    return {"type": "line", "x0": x0, "x1": x1, "y0": y, "y1": y, "line": _stroke(tone, width, dash), "layer": "below"} | across


def _stroke(tone: str, width: float, dash: str) -> Part:
    return {"color": colour(tone), "width": width} | ({"dash": dash} if dash else {})


def markers(name: str, x: Sequence[Any], y: Sequence[Any], text: Sequence[str], marker: Part, **look: Any) -> Part:
    """Points with a tooltip each, not clipped at the edges of the plot."""
    return scatter(name, x, y, mode="markers", hover="%{text}", text=list(text), marker=marker, cliponaxis=False, **look)


def bars(x: Sequence[Any], y: Sequence[Any], text: Sequence[str], hover: str, **look: Any) -> Part:
    """Bars with a text at the end of each."""
    return {
        "type": "bar",
        "x": list(x),
        "y": list(y),
        "text": list(text),
        "textposition": "outside",
        "textfont": {"size": 14, "color": colour("text")},
        "cliponaxis": False,
        "marker": look,
        "hovertemplate": f"{hover}<extra></extra>",
    }


def marker(size: Any, fill: str, edge: str, width: float, **look: Any) -> Part:
    """The style of points: sizes in px, fill and edge as colours; a ``fill`` of "" is transparent."""
    line = {"color": colour(edge), "width": width}
    return {"size": size, "color": colour(fill) if fill else "rgba(0,0,0,0)", "line": line} | look
