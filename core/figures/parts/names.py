"""The names at the right edge of a plot, each at what it belongs to; ``live_figure/names.js`` sets them apart, for it knows how
high the plot is where it is drawn."""

from core.figures.parts.style import Scene, colour

AWAY = 14  # px from the plot to a name


def beside_plot(text: str, place: Scene, tone: str = "muted", *, line: str = "", type: int = 14, hover: str = "") -> Scene:
    """A name as an annotation. ``place`` is what it belongs to, as plotly is told a height; where the name has to give way, a
    thin line of the tone ``line`` (that of the words, without one) joins both. ``type`` is the size of the words, px.
    """
    words = {"text": text, "font": {"size": type, "color": colour(tone)}, "xshift": AWAY, "yshift": 0}
    joined = {"arrowhead": 0, "arrowwidth": 1, "arrowcolor": colour(line or tone), "startstandoff": 2}
    return at_edge() | words | joined | ({"hovertext": hover} if hover else {}) | place


def at_edge() -> Scene:
    """Words that begin at the right edge of the plot, still without their height."""
    return {"xref": "paper", "x": 1, "xanchor": "left", "yanchor": "middle", "align": "left", "showarrow": False}
