"""Axes that the charts of this page share."""

from core.figures.recurrent_step.written import Scene
from core.figures.style import FONT, colour, escape

CHART_HEIGHT = 330


def chart(x_title: str, y_title: str, longest: int) -> Scene:
    axis = {"zeroline": False, "showline": True, "linecolor": colour("muted"), "ticks": "outside", "tickcolor": colour("muted")}
    return {
        "height": CHART_HEIGHT,
        "margin": {"l": 62, "r": 128, "t": 20, "b": 54},
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
        "xaxis": axis
        | {
            "range": [0.5, longest + 0.5],
            "tickvals": list(range(1, longest + 1)),
            "showgrid": False,
            "fixedrange": True,
            "title": {"text": escape(x_title), "standoff": 6, "font": {"size": 14}},
        },
        "yaxis": axis
        | {"gridcolor": colour("line"), "fixedrange": True, "title": {"text": y_title, "standoff": 6, "font": {"size": 14}}},
    }
