"""The lines a curve is compared with, named at the right edge of a chart: counting models, and the best possible."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from core.figures.parts.axes import beside_plot, spread
from core.figures.parts.numbers import count, number, superscript
from core.figures.parts.style import DASHES, colour
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
            f"{b.name}: {count(b.parameters)} numbers stored, a full table has {_full_table(b)}",
            colour(f"baseline-{b.order}"),
            DASHES[b.order],
        )
        for b in baselines
    ]
    if floor:
        lines.append(Reference(len(lines), floor, "best possible", "exact: the entropy of the language", *BEST))
    return lines


def _full_table(b: Baseline) -> str:
    return f"V{superscript(b.order) if b.order != 1 else ''} = {count(b.table)}"


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


class Name(NamedTuple):
    """A name at the right edge: the perplexity it belongs to, its height in px, and the annotation without its place."""

    perplexity: float
    size: float
    text: dict[str, Any]


def names(lines: Sequence[Reference]) -> list[Name]:
    """Of all lines, with their values; lines within 1 % share one."""
    groups: list[list[Reference]] = []
    for line in sorted(lines, key=lambda line: -line.perplexity):
        if groups and groups[-1][0].perplexity <= line.perplexity * (1 + SHARED_WITHIN):
            groups[-1].append(line)
        else:
            groups.append([line])
    return [Name(group[0].perplexity, LABEL_GAP * min(len(group), 2), _name(group)) for group in groups]


def _name(group: Sequence[Reference]) -> dict[str, Any]:
    """One line of text for one reference, two for several."""
    group = sorted(group, key=lambda line: line.rank)
    size, value = 14 if len(group) == 1 else 13, number(group[-1].perplexity)
    return {
        "text": f"<b>{_called(group)}</b> {value}",
        "hovertext": "<br>".join(line.detail for line in group),
        "font": {"size": size},
    }


def _called(group: Sequence[Reference]) -> str:
    first, last = group[0], group[-1]
    if first is last:
        return first.label
    return f"{first.label} {'–' if last.rank - first.rank == len(group) - 1 else 'and'}<br>{last.label}"


def labels(told: Sequence[Name], scale: Scale) -> list[dict[str, Any]]:
    """The names as annotations at the right edge, in the order of their perplexities; no two overlap.

    Each stands at a place on the axis, so that it follows its line when the reader zooms.
    """
    told = sorted(told, key=lambda name: -name.perplexity)
    middles = spread([scale.pixel(name.perplexity) for name in told], [name.size for name in told])
    return [_label(name, scale.exponent(middle)) for name, middle in zip(told, middles, strict=True)]


def _label(name: Name, y: float) -> dict[str, Any]:
    font = name.text["font"] | {"color": colour("muted")}
    return beside_plot(name.text["text"], 9, font) | {"yref": "y", "y": round(y, 4), "hovertext": name.text["hovertext"]}
