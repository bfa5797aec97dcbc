"""The names at the right edge of a plot: none over another, and each one that had to give way is joined to what it belongs to."""

from collections.abc import Sequence
from typing import NamedTuple

from core.figures.parts.style import Scene, colour

LINE = 1.3  # times the size of the type: from one line of a name to the next, as plotly sets them
BETWEEN = 4  # px about a name of several lines, which would run on into the next one
BELOW = 8  # px that the lowest name may reach below the foot of the plot
AWAY = 14  # px from the plot to a name
NEAR = 4  # px: a name so little moved needs no line to what it belongs to


class Name(NamedTuple):
    """What is said at the right edge, how many px above the foot of the plot it belongs, and that place as plotly is told it."""

    text: str
    height: float
    place: Scene
    tone: str = "muted"  # of the words,
    line: str = ""  # and of the line to it: that of the words, without one
    type: int = 14  # px
    hover: str = ""

    @property
    def size(self) -> float:
        """How high it is, px."""
        lines = 1 + self.text.count("<br>")
        return LINE * self.type * lines + (BETWEEN if lines > 1 else 0)


def beside_plot(names: Sequence[Name]) -> list[Scene]:
    """The names as annotations, from the highest to the lowest; in the same order as what they belong to."""
    ranked = sorted(names, key=lambda name: -name.height)
    middles = spread([name.height for name in ranked], [name.size for name in ranked])
    return [_drawn(name, round(middle - name.height, 1)) for name, middle in zip(ranked, middles, strict=True)]


def _drawn(name: Name, up: float) -> Scene:
    """So many px above the place it belongs to, and a thin line from there where that is not near."""
    moved = abs(up) > NEAR
    words = {"text": name.text, "font": {"size": name.type, "color": colour(name.tone)}}
    line = {"arrowhead": 0, "arrowwidth": 1, "arrowcolor": colour(name.line or name.tone), "startstandoff": 2}
    shift = {"ax": AWAY, "ay": -up} if moved else {"xshift": AWAY, "yshift": up}
    said = {"hovertext": name.hover} if name.hover else {}
    return at_edge() | words | said | name.place | line | {"showarrow": moved} | shift


def at_edge() -> Scene:
    """Words that begin at the right edge of the plot, still without their height."""
    return {"xref": "paper", "x": 1, "xanchor": "left", "yanchor": "middle", "align": "left", "showarrow": False}


def spread(heights: Sequence[float], sizes: Sequence[float]) -> list[float]:
    """Descending middles pushed apart so that names of these sizes do not overlap; a sweep down, then one up from the foot."""
    placed: list[float] = []
    for i, height in enumerate(heights):
        placed.append(min(height, placed[-1] - (sizes[i - 1] + sizes[i]) / 2) if placed else height)
    for i in range(len(placed) - 1, -1, -1):
        lowest = placed[i + 1] + (sizes[i] + sizes[i + 1]) / 2 if i + 1 < len(placed) else sizes[i] / 2 - BELOW
        placed[i] = max(placed[i], lowest)
    return placed
