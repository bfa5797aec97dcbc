"""Names at the right edge: their order, their distance by their lines and type, and a line to what each belongs to."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from core.figures.parts.names import BELOW, LINE, NEAR, Name, beside_plot, spread
from core.figures.parts.style import colour

PLOT = 250  # px
names = st.lists(
    st.builds(
        lambda text, height, type: Name(text, height, {"yref": "paper", "y": height / PLOT}, type=type),
        st.sampled_from(["one", "one<br>two", "one<br>two<br>three"]),
        st.floats(0, PLOT),
        st.sampled_from([12, 14, 20]),
    ),
    max_size=8,
)


def middle(drawn):
    """Where a name stands, px above the foot."""
    return drawn["y"] * PLOT + (-drawn["ay"] if drawn["showarrow"] else drawn["yshift"])


def half(drawn):
    return LINE * drawn["font"]["size"] * (1 + drawn["text"].count("<br>")) / 2


@given(names)
def test_no_name_lies_over_another_however_many_lines_and_however_large_its_type(told):
    drawn = beside_plot(told)
    for above, below in pairwise(drawn):
        assert middle(above) - half(above) >= middle(below) + half(below) - 0.11
        assert above["y"] >= below["y"]


@given(names)
def test_every_name_belongs_to_its_place_and_a_line_joins_what_was_moved(told):
    for name, drawn in zip(sorted(told, key=lambda name: -name.height), beside_plot(told), strict=True):
        assert drawn["y"] == name.place["y"]
        assert drawn["showarrow"] == (abs(middle(drawn) - name.height) > NEAR + 1e-6)


def test_a_line_has_the_colour_of_what_the_name_belongs_to():
    pair = [Name("a", 9.0, {"y": 9}, line="backward"), Name("b", 9.0, {"y": 9}, tone="positive")]
    assert [drawn["arrowcolor"] for drawn in beside_plot(pair)] == [colour("backward"), colour("positive")]


@given(st.lists(st.tuples(st.floats(-50, 400), st.floats(10, 60)), max_size=8))
def test_names_keep_their_order_and_stay_above_the_foot(names):
    heights, sizes = sorted((height for height, _ in names), reverse=True), [size for _, size in names]
    placed = spread(heights, sizes)
    assert all(b - a <= -(s + t) / 2 + 1e-9 for (a, b), (s, t) in zip(pairwise(placed), pairwise(sizes), strict=True))
    assert all(place - size / 2 >= -BELOW - 1e-9 for place, size in zip(placed, sizes, strict=True))
