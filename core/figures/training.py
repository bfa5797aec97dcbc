"""The perplexity curve: what the Training page draws while a run goes on."""

import bisect
import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from core.figures import words
from core.figures.reference_lines import LABEL_GAP, Scale, line_labels, reference_lines, rule, spread
from core.figures.style import FONT, colour, escape
from core.models.loss import perplexity_of
from core.models.ngram import Baseline
from core.settings import Settings
from core.training.history import Flag, Ghost, Point

HEIGHT = 326  # px of the whole figure
MARGIN = {"l": 62, "r": 132, "t": 20, "b": 46}
GHOST_LABELS = 3  # the newest ghosts are labelled, older ones on hover
LABELLED_FROM = 20  # updates; what ended sooner was a knob on its way
FLAG_LABELS = 3
ZERO_AT = 0.6  # where "nothing yet" stands on a logarithmic axis, in updates
NEAR_V = 0.3  # nats: how near to V an untrained network must be for the chart to say so
LADDER = (1, 1.2, 1.5, 2, 3, 5, 7, 10)  # where an axis may end, per decade
AXIS_TITLES = {
    "updates": "updates (log scale)",
    "tokens": "tokens read (log scale)",
    "seconds": "seconds of computing (log scale)",
}
COLUMN = {"updates": 0, "tokens": 1, "seconds": 2}  # of a Point


class Curves(NamedTuple):
    """What is drawn. Points carry nats per token; the figure shows their exponential."""

    judged: Sequence[Point]
    training: Sequence[Point]
    smooth: Sequence[Point]
    ghosts: Sequence[Ghost]
    flags: Sequence[Flag]


def training_figure(
    curves: Curves,
    settings: Settings,
    baselines: Sequence[Baseline],
    *,
    floor: float | None,
    vocab_size: int,
    across: str,
    judged_on: str = "held-out",
) -> dict[str, Any]:
    """Perplexity against updates, tokens or seconds, both logarithmic, as a plain plotly figure with colour tokens."""
    shown = [ghost for ghost in curves.ghosts if ghost.comparable(settings, vocab_size)]
    hidden, curves = len(curves.ghosts) - len(shown), curves._replace(ghosts=shown)
    axis = _Axis(curves, settings, across)
    scale = Scale(*_y_range(curves, baselines, floor, vocab_size), height=HEIGHT - MARGIN["t"] - MARGIN["b"])
    data = [
        *[_ghost(ghost, settings, axis) for ghost in curves.ghosts],
        _line(curves.training, axis, "training", width=1, opacity=0.3),
        _line(curves.smooth, axis, "training, smoothed", width=1.5, opacity=0.65),
        _line(curves.judged, axis, judged_on, width=4.5),
        *_ends(curves.judged, axis),
    ]
    lines = reference_lines(baselines, floor)
    layout = _layout(axis, scale) | {
        "shapes": [*[rule(line) for line in lines], *[_flag_line(flag, axis) for flag in curves.flags]],
        "annotations": [
            *line_labels(lines, scale),
            *_ghost_labels(curves.ghosts, settings, axis, scale),
            *[_flag_label(flag, i, axis) for i, flag in enumerate(curves.flags[-FLAG_LABELS:])],
            *_start_label(curves.judged, vocab_size, axis),
            *_hidden_label(hidden),
        ],
    }
    return {"data": data, "layout": layout}


class _Axis:
    """The horizontal axis: the position of a point, and where the axis ends (it grows in steps, so that it rarely jumps)."""

    def __init__(self, curves: Curves, settings: Settings, across: str) -> None:
        self.across = across
        self.unit = self._first(curves, settings)
        last = max([self.at(p) for p in [*curves.judged[-1:], *curves.training[-1:]]] + [10 * self.unit])
        last = max([last, *[self.at(ghost.points[-1]) for ghost in curves.ghosts if ghost.points]])
        self.range = (math.log10(self.unit * ZERO_AT * 0.85), math.log10(_ladder_above(last * 1.02)))

    def _first(self, curves: Curves, settings: Settings) -> float:
        """The length of one update on this axis."""
        if self.across == "updates":
            return 1.0
        if self.across == "tokens":
            return float(settings.batch_size * settings.num_steps)
        past = [point for point in curves.judged if point.update and point.seconds]
        return past[0].seconds / past[0].update if past else 0.01

    def at(self, point: Point) -> float:
        return max(round(point[COLUMN[self.across]], 4), ZERO_AT * self.unit)

    def share(self, x: float) -> float:
        """How far along the axis a position (log10) lies, 0 to 1."""
        return (x - self.range[0]) / (self.range[1] - self.range[0])

    def ticks(self) -> tuple[list[float], list[str]]:
        first, last = math.ceil(math.log10(self.unit) - 1e-9), math.ceil(self.range[1])
        values = [10.0**e for e in range(first, last + 1)]
        return [ZERO_AT * self.unit, *values], ["0", *[_tick(value) for value in values]]


def _tick(value: float) -> str:
    return f"{value:g}" if value < 1e4 else f"{value / 1e3:g} k" if value < 1e6 else f"{value / 1e6:g} M"


def _ladder_above(value: float) -> float:
    decade = 10 ** math.floor(math.log10(value))
    return decade * LADDER[bisect.bisect_left(LADDER, value / decade - 1e-9)]


def _ladder_below(value: float) -> float:
    decade = 10 ** math.floor(math.log10(value))
    return decade * LADDER[bisect.bisect_right(LADDER, value / decade + 1e-9) - 1]


def _y_range(curves: Curves, baselines: Sequence[Baseline], floor: float | None, vocab_size: int) -> tuple[float, float]:
    """From below the best line to above V, or above the curve where it rose past V (30 V at most)."""
    seen = [perplexity_of(p.nats) for p in [*curves.judged, *curves.smooth[-1:]] if math.isfinite(p.nats)]
    below = [b.perplexity for b in baselines if math.isfinite(b.perplexity)] + ([floor] if floor else [])
    high = max([vocab_size * 1.3, *[min(p * 1.15, 30.0 * vocab_size) for p in seen]])
    low = max(min([*below, *seen, vocab_size]) * 0.94, 0.9)
    return (_ladder_below(low) if low > 1.02 else 0.95), high


def _line(points: Sequence[Point], axis: _Axis, name: str, *, width: float, opacity: float = 1.0) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": [axis.at(p) for p in points],
        "y": [_height(p.nats) for p in points],
        "customdata": [p.update for p in points],
        "hovertemplate": f"{name}<br>update %{{customdata}}: <b>%{{y:.3~g}}</b><extra></extra>",
        "line": {"color": colour("forward"), "width": width},
        "opacity": opacity,
    }


@lru_cache(maxsize=8192)  # a point is drawn five times a second for as long as the run goes on
def _height(nats: float) -> float | None:
    """The perplexity in four figures; None (a gap in the line) where there is nothing to draw."""
    perplexity = perplexity_of(nats)
    return float(f"{perplexity:.4g}") if math.isfinite(perplexity) else None


def _ghost(ghost: Ghost, settings: Settings, axis: _Axis) -> dict[str, Any]:
    label = escape(words.differing(ghost.settings, settings))
    return _line(ghost.points, axis, f"earlier run: {label}", width=2) | {"line": {"color": colour("ghost"), "width": 2}}


def _ends(judged: Sequence[Point], axis: _Axis) -> list[dict[str, Any]]:
    """A hollow dot where the run began, a full one where it is."""
    dots = [(judged[0], colour("background"), 13), (judged[-1], colour("forward"), 16)]
    return [
        _line([point], axis, name, width=0)
        | {"mode": "markers", "marker": {"size": size, "color": fill, "line": {"color": colour("forward"), "width": 3}}}
        for (point, fill, size), name in zip(dots[: 2 if judged[-1].update else 1], ("untrained", "now"), strict=False)
    ]


def _ghost_labels(ghosts: Sequence[Ghost], settings: Settings, axis: _Axis, scale: Scale) -> list[dict[str, Any]]:
    """What differs, at the end of the newest ghosts; no two at the same height."""
    told = [ghost for ghost in ghosts if ghost.points[-1].update >= LABELLED_FROM]
    labelled = sorted(told[-GHOST_LABELS:], key=lambda ghost: -ghost.points[-1].nats)
    ends = [min(max(perplexity_of(ghost.points[-1].nats), scale.low), scale.high) for ghost in labelled]
    heights = spread([scale.pixel(end) + LABEL_GAP / 2 for end in ends], [LABEL_GAP] * len(ends))
    return [_ghost_label(ghost, height / scale.height, settings, axis) for ghost, height in zip(labelled, heights, strict=True)]


def _ghost_label(ghost: Ghost, y: float, settings: Settings, axis: _Axis) -> dict[str, Any]:
    x = math.log10(axis.at(ghost.points[-1]))
    return {
        "x": x,
        "xanchor": "right" if axis.share(x) > 0.4 else "left",
        "yref": "paper",
        "y": y,
        "yanchor": "middle",
        "text": escape(words.differing(ghost.settings, settings)),
        "showarrow": False,
        "bgcolor": colour("background"),
        "borderpad": 1,
        "opacity": 0.9,
        "font": {"size": 14, "color": colour("muted")},
    }


def _hidden_label(hidden: int) -> list[dict[str, Any]]:
    """Perplexities over other symbols cannot be compared: those ghosts are counted, not drawn."""
    if not hidden:
        return []
    runs = "1 earlier run" if hidden == 1 else f"{hidden} earlier runs"
    place = {"xref": "paper", "x": 1, "xanchor": "right", "yref": "paper", "y": 1, "yanchor": "bottom"}
    font = {"size": 13, "color": colour("muted")}
    return [place | {"text": f"{runs} on another text: not comparable, not shown", "showarrow": False, "font": font}]


def _flag_line(flag: Flag, axis: _Axis) -> dict[str, Any]:
    x = axis.at(flag.point)
    line = {"color": colour("text"), "width": 2}
    return {"type": "line", "x0": x, "x1": x, "yref": "paper", "y0": 0, "y1": 1, "line": line}


def _flag_label(flag: Flag, place: int, axis: _Axis) -> dict[str, Any]:
    x = math.log10(axis.at(flag.point))
    return {
        "x": x,
        "yref": "paper",
        "y": 1 - 0.12 * place,
        "xanchor": "right" if axis.share(x) > 0.4 else "left",
        "yanchor": "top",
        "text": escape(words.moved(flag.name, flag.old, flag.new)),
        "showarrow": False,
        "bgcolor": colour("text"),
        "borderpad": 3,
        "font": {"size": 14, "color": colour("background")},
    }


def _start_label(judged: Sequence[Point], V: int, axis: _Axis) -> list[dict[str, Any]]:
    start = judged[0]
    if not math.isfinite(perplexity_of(start.nats)):
        return []
    return [
        {
            "x": math.log10(axis.at(start)),
            "y": math.log10(perplexity_of(start.nats)),
            "xanchor": "left",
            "yanchor": "bottom",
            "xshift": 8,
            "yshift": 5,
            "text": "untrained: about V" if abs(start.nats - math.log(V)) < NEAR_V else "untrained",
            "showarrow": False,
            "font": {"size": 15, "color": colour("text")},
        }
    ]


def _layout(axis: _Axis, scale: Scale) -> dict[str, Any]:
    values, texts = axis.ticks()
    y_ticks = [m * 10**e for e in range(6) for m in (1, 2, 5)]
    common = {
        "type": "log",
        "zeroline": False,
        "showline": True,
        "linecolor": colour("muted"),
        "ticks": "outside",
        "tickcolor": colour("muted"),
    }
    return {
        "height": HEIGHT,
        "margin": MARGIN,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": "zoom",
        "font": {"family": FONT, "size": 14, "color": colour("muted")},
        "hoverlabel": {
            "font": {"family": FONT, "size": 14, "color": colour("text")},
            "bgcolor": colour("raised"),
            "bordercolor": colour("line"),
        },
        "xaxis": common
        | {
            "range": list(axis.range),
            "showgrid": False,
            "tickvals": values,
            "ticktext": texts,
            "title": _title(AXIS_TITLES[axis.across]),
        },
        "yaxis": common
        | {
            "range": [math.log10(scale.low), math.log10(scale.high)],
            "gridcolor": colour("line"),
            "tickvals": y_ticks,
            "ticktext": [_tick(value) for value in y_ticks],
            "title": _title("perplexity (log scale)"),
        },
    }


def _title(text: str) -> dict[str, Any]:
    return {"text": text, "standoff": 6, "font": {"size": 14}}
