"""The lines a curve is compared with, named at the right edge of a chart: counting models, and the best possible."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from core.figures.parts.names import beside_plot
from core.figures.parts.numbers import count, number, superscript
from core.figures.parts.style import DASHES, Scene, colour
from core.models.ngram import Baseline

SHARED_WITHIN = 0.01  # lines closer than this share a label
BEST = ("positive", "12px 3px 2px 3px")


class Scale(NamedTuple):
    """A logarithmic axis of perplexity, and how high it is drawn, px."""

    low: float
    high: float
    height: float

    def at(self, perplexity: float) -> Scene:
        """A height as plotly is told it, so that a name stays there when readers zoom; at an end for what is beyond it."""
        low, high = math.log10(self.low), math.log10(self.high)
        within = min(max(perplexity, self.low), self.high)
        return {"yref": "y", "y": min(max(round(math.log10(within), 4), low), high)}


class Reference(NamedTuple):
    """One line: where, what it is called, and what is said when the pointer rests on its name."""

    rank: int  # of its name in a shared label
    perplexity: float
    label: str
    detail: str
    tone: str
    dash: str


def reference_lines(baselines: Sequence[Baseline], floor: float | None) -> list[Reference]:
    """A line for each counting model, and one for the best possible perplexity where it is known."""
    lines = [
        Reference(
            b.order,
            b.perplexity,
            b.name,
            f"{b.name}: {count(b.parameters)} numbers stored, a full table has {_full_table(b)}",
            f"baseline-{b.order}",
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
        "line": {"color": colour(line.tone), "width": 2, "dash": line.dash},
        "layer": "below",
    }


def names(lines: Sequence[Reference], scale: Scale) -> list[Scene]:
    """Of all lines, with their values; lines within 1 % share one."""
    groups: list[list[Reference]] = []
    for line in sorted(lines, key=lambda line: -line.perplexity):
        if groups and groups[-1][0].perplexity <= line.perplexity * (1 + SHARED_WITHIN):
            groups[-1].append(line)
        else:
            groups.append([line])
    return [_name(sorted(group, key=lambda line: line.rank), scale.at(group[0].perplexity)) for group in groups]


def _name(group: Sequence[Reference], place: Scene) -> Scene:
    """One line of text for one reference, two for several."""
    return beside_plot(
        f"<b>{_called(group)}</b> {number(group[-1].perplexity)}",
        place,
        line=group[0].tone,
        type=14 if len(group) == 1 else 13,
        hover="<br>".join(line.detail for line in group),
    )


def _called(group: Sequence[Reference]) -> str:
    first, last = group[0], group[-1]
    if first is last:
        return first.label
    return f"{first.label} {'–' if last.rank - first.rank == len(group) - 1 else 'and'}<br>{last.label}"
