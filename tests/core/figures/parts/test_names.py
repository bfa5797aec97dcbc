"""A name beside a plot: at what it belongs to, and how a line leads there should it have to give way (live_figure/names.js)."""

import pytest

from core.figures.parts.names import AWAY, beside_plot
from core.figures.parts.style import colour


@pytest.mark.parametrize("place", [{"yref": "paper", "y": 0.5}, {"yref": "y", "y": -2.0}])
def test_a_name_stands_at_what_it_belongs_to_a_little_beside_the_plot(place):
    name = beside_plot("a", place)
    assert {key: name[key] for key in place} == place
    assert (name["xref"], name["x"], name["xanchor"], name["yanchor"]) == ("paper", 1, "left", "middle")
    assert (name["xshift"], name["yshift"], name["showarrow"]) == (AWAY, 0, False)
    assert "hovertext" not in name


def test_the_line_to_it_has_the_colour_of_what_the_name_belongs_to_or_that_of_its_words():
    pair = [beside_plot("a", {"y": 9}, line="backward"), beside_plot("b", {"y": 9}, "positive", hover="more")]
    assert [name["arrowcolor"] for name in pair] == [colour("backward"), colour("positive")]
    assert [name["font"]["color"] for name in pair] == [colour("muted"), colour("positive")]
    assert pair[1]["hovertext"] == "more"
