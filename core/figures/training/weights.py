"""The weights of each matrix, at the start and now: how many of them are how large."""

import math
from itertools import pairwise

import numpy as np

from core.analysis.weights import Spread
from core.figures.parts.axes import Axis, log_ticks
from core.figures.parts.chart import MARGIN, Curve, Figure, chart
from core.figures.parts.numbers import count, number
from core.figures.parts.style import Part, colour

FOOT = 0.5  # of the axis: where a bar without weights ends, for 0 has no place on a logarithmic scale
HEIGHT, TOP, RIGHT = 270, 70, 14  # px: of the whole figure, above the plot and beside it
ROLES = {"W_emb": "token to vector", "W_xh": "input to state", "W_hh": "state to state", "W_hq": "state to logits"}


def weights_figure(spread: Spread) -> Figure:
    """One matrix: both histograms as the lines along the tops of their bars, and both standard deviations above them."""
    limit, highest = float(spread.edges[-1]), max(int(spread.start.max()), int(spread.now.max()), 10)
    low, high = math.log10(FOOT), math.log10(1.5 * highest)
    x = Axis("size of a weight", -limit, limit, log=False)
    y = Axis("how many weights (log)", low, high, ticks=log_ticks(1, 10**high, (1,)))
    edges = spread.edges.tolist()
    between = [f"between {left} and {right}" for left, right in pairwise(number(edge, 2) for edge in edges)]
    start = _tops(edges, between, "at the start", spread.start, "cut", "6px 4px", 2)
    made = chart([start, _tops(edges, between, "now", spread.now, "forward", "solid", 3)], x, y, height=HEIGHT)
    made["layout"]["margin"] = MARGIN | {"t": TOP, "r": RIGHT}
    made["layout"]["annotations"] = [_heading(spread)]
    return made


def weights_words(spread: Spread) -> str:
    """What the figure shows, in words."""
    return f"{spread.name}: standard deviation {number(spread.start_std)} at the start, {number(spread.now_std)} now"


def _heading(spread: Spread) -> Part:
    name = f"<b>{spread.name}</b>, {ROLES[spread.name]}<br>{' × '.join(map(count, spread.shape))}, standard deviation"
    deviation = f"{number(spread.start_std)} at the start, <b>{number(spread.now_std)}</b> now"
    place = {"xref": "paper", "yref": "paper", "x": 0, "y": 1, "xanchor": "left", "yanchor": "bottom", "yshift": 6, "xshift": -40}
    font = {"size": 15, "color": colour("text")}
    return place | {"text": f"{name}<br>{deviation}", "align": "left", "showarrow": False, "font": font}


def _tops(edges: list[float], between: list[str], name: str, counts: np.ndarray, tone: str, dash: str, width: int) -> Curve:
    """A line that is level over every bar, from the first edge to the last."""
    bars = list(zip(counts.tolist(), between, strict=True))
    bars = [bars[0], *bars, bars[-1]]  # for the two edges
    x = [edges[0], *[(left + right) / 2 for left, right in pairwise(edges)], edges[-1]]
    hover = [f"{name}: <b>{count(many)}</b> {there}" for many, there in bars]
    return Curve(name, x, [max(many, FOOT) for many, _ in bars], tone, dash, width, hover=hover, shape="hvh")
