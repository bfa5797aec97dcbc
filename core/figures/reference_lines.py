"""The lines a curve is compared with, named at the right edge of a chart: counting models, and the best possible."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from core.figures.style import DASHES, colour, count, number
from core.models.ngram import Baseline

LABEL_GAP = 17  # px between two labels
SHARED_WITHIN = 0.01  # lines closer than this share a label
BEST = (colour("positive"), "12px 3px 2px 3px")


class Scale(NamedTuple):
    """A logarithmic axis of perplexity, and how high it is drawn, px."""

    low: float
    high: float
    height: float

    def pixel(self, perplexity: float) -> float:
        """Height above the foot of the plot, px."""
        return self.height * math.log(perplexity / self.low) / math.log(self.high / self.low)

    def exponent(self, pixel: float) -> float:
        """What stands at that height, as plotly names a place on a logarithmic axis: log10 of the perplexity."""
        return math.log10(self.low) + pixel / self.height * math.log10(self.high / self.low)


class Reference(NamedTuple):
    """One line: where, what it is called, and what is said when the pointer rests on its name."""

    rank: int  # of its name in a shared label
    perplexity: float
    label: str
    detail: str
    colour: str
    dash: str


def reference_lines(baselines: Sequence[Baseline], floor: float | None) -> list[Reference]:
    """A line for each counting model, and one for the best possible perplexity where it is known."""
    lines = [
        Reference(
            b.order,
            b.perplexity,
            b.name,
            f"{b.name}: {count(b.parameters)} numbers stored, a full table has V{_power(b.order)} = {count(b.table)}",
            colour(f"baseline-{b.order}"),
            DASHES[b.order],
        )
        for b in baselines
    ]
    if floor:
        lines.append(Reference(len(lines), floor, "best possible", "exact: the entropy of the language", *BEST))
    return lines


def _power(order: int) -> str:
    return "" if order == 1 else str(order).translate(str.maketrans("012345", "⁰¹²³⁴⁵"))


def rule(line: Reference) -> dict[str, Any]:
    """The line itself, across the whole plot, below the curves."""
    return {
        "type": "line",
        "xref": "paper",
        "x0": 0,
        "x1": 1,
        "y0": line.perplexity,
        "y1": line.perplexity,
        "line": {"color": line.colour, "width": 2, "dash": line.dash},
        "layer": "below",
    }


def line_labels(lines: Sequence[Reference], scale: Scale) -> list[dict[str, Any]]:
    """Names and values at the right edge; lines within 1 % share one, and no two overlap."""
    groups: list[list[Reference]] = []
    for line in sorted(lines, key=lambda line: -line.perplexity):
        if groups and groups[-1][0].perplexity <= line.perplexity * (1 + SHARED_WITHIN):
            groups[-1].append(line)
        else:
            groups.append([line])
    heights = [scale.pixel(group[0].perplexity) for group in groups]
    heights = spread(heights, [LABEL_GAP * min(len(group), 2) for group in groups])
    return [_line_label(group, scale.exponent(height)) for group, height in zip(groups, heights, strict=True)]


def _line_label(group: Sequence[Reference], y: float) -> dict[str, Any]:
    """At ``y`` on the axis, so that it follows its line when the reader zooms: one line of text for one reference, two for
    several."""
    group = sorted(group, key=lambda line: line.rank)
    between = "–" if group[-1].rank - group[0].rank == len(group) - 1 else "and"
    name = group[0].label if len(group) == 1 else f"{group[0].label} {between} {group[-1].label}"
    return {
        "xref": "paper",
        "x": 1,
        "xanchor": "left",
        "xshift": 6,
        "yref": "y",
        "y": round(y, 4),
        "yanchor": "middle",
        "text": f"<b>{name}</b>{' ' if len(group) == 1 else '<br>'}{number(group[-1].perplexity)}",
        "hovertext": "<br>".join(line.detail for line in group),
        "showarrow": False,
        "align": "left",
        "font": {"size": 14 if len(group) == 1 else 13, "color": colour("muted")},
    }


def spread(heights: list[float], sizes: list[float]) -> list[float]:
    """Descending middles pushed apart so that labels of these sizes do not overlap; a sweep down, then one up from the foot."""
    placed: list[float] = []
    for i, height in enumerate(heights):
        placed.append(min(height, placed[-1] - (sizes[i - 1] + sizes[i]) / 2) if placed else height)
    for i in range(len(placed) - 1, -1, -1):
        above_next = placed[i + 1] + (sizes[i] + sizes[i + 1]) / 2 if i + 1 < len(placed) else 2.0
        placed[i] = max(placed[i], above_next)
    return placed
