"""Curves: titles, ticks that lie on the axis, names that do not overlap, and nothing drawn where there is nothing."""

import json
import math
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.figures.parts.axes import DECADES, Axis, along, decades, from_zero, ladder, readable_ticks, updates_axis
from core.figures.parts.chart import Curve, chart
from core.figures.parts.style import THEMES, in_theme

odd = st.one_of(st.floats(1e-300, 1e300), st.sampled_from([0.0, math.nan, math.inf]))


def drawn(figure):
    return go.Figure(in_theme(figure, THEMES[0]))


def over_lags(*curves, start=None):
    """A chart with a straight axis along and a logarithmic one upright, as the pages make it."""
    x = along("x, steps", (value for curve in curves for value in curve.x))
    return chart(curves, x, decades("y, nats", (value for curve in curves for value in curve.y), start))


@given(st.lists(st.lists(odd, min_size=1, max_size=6), min_size=1, max_size=4))
def test_any_values_are_drawn_on_a_logarithmic_axis(columns):
    curves = [Curve(f"{i}", list(range(len(y))), y, label=f"curve {i}") for i, y in enumerate(columns)]
    figure = over_lags(*curves)
    json.dumps(figure, allow_nan=False)
    drawn(figure)
    layout = figure["layout"]
    low, high = layout["yaxis"]["range"]
    assert low < high
    assert all(low <= tick <= high for tick in layout["yaxis"]["tickvals"])
    assert len(layout["yaxis"]["tickvals"]) == len(layout["yaxis"]["ticktext"]) >= 1
    assert layout["xaxis"]["title"]["text"] == "x, steps"
    for curve, y in zip(figure["data"], columns, strict=True):
        for height, value in zip(curve["y"], y, strict=True):
            assert (height is None) == (not 0 < value < math.inf)


def test_a_curve_may_leave_the_picture():
    figure = over_lags(Curve("fades", [0, 1, 2], [1.0, 1e-10, 1e-40], label="fades"))
    low, high = figure["layout"]["yaxis"]["range"]
    assert high - low < 1.2 * DECADES
    assert figure["data"][0]["y"][-1] == -40
    assert 0 <= figure["layout"]["annotations"][0]["y"] <= 1


def test_where_all_began_stays_in_the_picture():
    figure = over_lags(Curve("grows", [0, 1], [1.0, 1e40]), start=1.0)
    low, high = figure["layout"]["yaxis"]["range"]
    assert low < 0 < high < 1.2 * DECADES


def test_one_point_is_a_dot_and_a_straight_axis_begins_at_zero():
    figure = chart([Curve("one", [5], [3.0])], along("x", [5]), from_zero("y", [3.0]))
    assert figure["data"][0]["mode"] == "markers"
    assert figure["layout"]["yaxis"]["range"][0] == 0
    left, right = figure["layout"]["xaxis"]["range"]
    assert left < 5 < right


@pytest.mark.parametrize("axis", [decades, from_zero])
def test_nothing_at_all_still_has_axes(axis):
    nothing = [math.nan, math.inf]
    figure = chart([Curve("none", [0, 1], nothing, label="none")], along("x", [0, 1]), axis("y", nothing))
    assert figure["layout"]["annotations"] == []
    assert np.isfinite(figure["layout"]["yaxis"]["range"]).all()


@given(st.integers(0, 10**6))
def test_the_untrained_network_stands_at_the_left_of_all_updates(last):
    axis = updates_axis(last)
    places = [axis.place(update) for update in (0, 1, max(last, 1))]
    assert axis.low < places[0] < places[1] <= places[2] < axis.high
    assert axis.ticks[0][0] == pytest.approx(places[0], abs=1e-4)
    assert axis.high < places[2] + 1.1
    assert [words for _, words in axis.ticks[:3]] == ["0", "1", "10"]
    assert updates_axis(1000).place(-1) is None


@given(st.floats(1e-6, 1e6), st.floats(1.1, 1e4))
def test_a_ladder_has_a_few_round_steps_between_its_ends(low, times):
    axis = ladder("perplexity", low, low * times)
    assert all(axis.low - 1e-6 <= place <= axis.high + 1e-6 for place, _ in axis.ticks)
    assert len(axis.ticks) <= 16
    assert times < 2.5 or len(axis.ticks) >= 1


@given(st.floats(1, 1e5), st.floats(1.5, 1e5))
def test_readable_ticks_are_three_at_least_and_clear_of_each_other(low, times):
    places = [place for place, _ in readable_ticks(low, low * times)]
    assert all(math.log10(low) - 1e-9 <= place <= math.log10(low * times) + 1e-9 for place in places)
    assert len(places) >= 3 or times < 2
    assert all(b - a > 0.14 * min(math.log10(times), 1) for a, b in pairwise(places))
    assert times < 100 or all(f"{10**place:e}"[0] in "125" for place in places)


def test_what_is_beyond_an_axis_is_named_at_its_end():
    axis = Axis("y", 0.0, 2.0)
    assert [axis.share(place) for place in (-1.0, 0.5, 9.0)] == [0, 0.25, 1]
    assert axis.across() == [1, 100]


def test_names_go_with_what_is_drawn_last():
    figure = over_lags(Curve("ends", [0, 1, 2], [1.0, 2.0, math.nan], label="ends"), Curve("no name", [0], [1.0]))
    low, high = figure["layout"]["yaxis"]["range"]
    (label,) = figure["layout"]["annotations"]
    assert label["y"] == pytest.approx((math.log10(2) - low) / (high - low), abs=1e-3)


def test_a_title_stands_clear_of_ticks_of_two_lines():
    one, two = (chart([], Axis("steps", 0, 3, log=False, ticks=[(1.0, words)]), decades("y", [1.0])) for words in ("1", "1<br>k"))
    one, two = one["layout"], two["layout"]
    assert two["xaxis"]["title"]["standoff"] >= one["xaxis"]["title"]["standoff"] + 14
    assert two["margin"]["b"] >= one["margin"]["b"] + 14
