"""Histograms of the weights of each matrix, at the start and now."""

import math
from itertools import pairwise

import numpy as np

from core.analysis.weights import Spread
from core.config.language import gettext as _, lazy_gettext
from pages.figures.parts.axes import Axis, log_ticks
from pages.figures.parts.chart import CHART_MARGIN, Curve, Figure, chart, note
from pages.figures.parts.numbers import count, number

FOOT = 0.5  # of the axis: the end of an empty bar, since 0 is not on a logarithmic scale
HEIGHT, TOP, RIGHT = 270, 70, 14  # px: of the whole figure, above the plot and beside it
ROLES = {
    "W_emb": lazy_gettext("token to vector"),
    "W_xh": lazy_gettext("input to state"),
    "W_hh": lazy_gettext("state to state"),
    "W_hq": lazy_gettext("state to logits"),
}


def weights_figure(spread: Spread) -> Figure:
    """The figure of one matrix: both histograms as step lines, and both standard deviations above them."""
    limit, highest = float(spread.edges[-1]), max(int(spread.start.max()), int(spread.now.max()), 10)
    low, high = math.log10(FOOT), math.log10(1.5 * highest)
    x = Axis(_("size of a weight"), -limit, limit, log=False)
    y = Axis(_("how many weights (log)"), low, high, ticks=log_ticks(1, 10**high, (1,)))
    edges = spread.edges.tolist()
    start = _tops(edges, _("at the start"), spread.start, "cut", "6px 4px", 2)
    made = chart([start, _tops(edges, _("now"), spread.now, "forward", "solid", 3)], x, y, height=HEIGHT)
    heading = _(
        "<b>{matrix}</b>, {role}<br>{shape}, standard deviation<br>{start} at the start, <b>{now}</b> now",
        matrix=spread.name,
        role=_(ROLES[spread.name]),
        shape=" × ".join(map(count, spread.shape)),
        start=number(spread.start_std),
        now=number(spread.now_std),
    )
    place = {"xref": "paper", "yref": "paper", "x": 0, "y": 1, "xanchor": "left", "yanchor": "bottom", "yshift": 6, "xshift": -40}
    made["layout"]["margin"] = CHART_MARGIN | {"t": TOP, "r": RIGHT}
    made["layout"]["annotations"] = [note(heading, 15, align="left", **place)]
    return made


def weights_words(spread: Spread) -> str:
    """The alternative text of the figure."""
    values = {"matrix": spread.name, "start": number(spread.start_std), "now": number(spread.now_std)}
    return _("{matrix}: standard deviation {start} at the start, {now} now", **values)


def _tops(edges: list[float], name: str, counts: np.ndarray, tone: str, dash: str, width: int) -> Curve:
    """A histogram as a step line, horizontal over every bar, from the first edge to the last."""
    bars = list(zip(counts.tolist(), pairwise(number(edge, 2) for edge in edges), strict=True))
    bars = [bars[0], *bars, bars[-1]]  # the outer bars once more, for the two edges
    x = [edges[0], *[(left + right) / 2 for left, right in pairwise(edges)], edges[-1]]
    hover = [
        _("{when}: <b>{n}</b> between {low} and {high}", when=name, n=count(many), low=low, high=high)
        for many, (low, high) in bars
    ]
    return Curve(name, x, [max(many, FOOT) for many, _ in bars], tone, dash, width, hover=hover, shape="hvh")
