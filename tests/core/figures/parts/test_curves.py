"""Curves: titles, ticks that lie on the axis, names that do not overlap, and nothing drawn where there is nothing."""

import json
import math

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.figures.parts.curves import DECADES, Curve, curves_figure
from core.figures.parts.style import THEMES, resolve

odd = st.one_of(st.floats(1e-300, 1e300), st.sampled_from([0.0, math.nan, math.inf]))


def drawn(figure):
    return go.Figure(resolve(figure, THEMES[0]))


@given(st.lists(st.lists(odd, min_size=1, max_size=6), min_size=1, max_size=4))
def test_any_values_are_drawn_on_a_logarithmic_axis(columns):
    curves = [Curve(f"{i}", list(range(len(y))), y, label=f"curve {i}") for i, y in enumerate(columns)]
    figure = curves_figure(curves, x_title="x, steps", y_title="y, nats")
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
    figure = curves_figure([Curve("fades", [0, 1, 2], [1.0, 1e-10, 1e-40], label="fades")], x_title="x", y_title="y")
    low, high = figure["layout"]["yaxis"]["range"]
    assert high - low < 1.2 * DECADES
    assert figure["data"][0]["y"][-1] == -40
    assert 0 <= figure["layout"]["annotations"][0]["y"] <= 1


def test_where_all_began_stays_in_the_picture():
    figure = curves_figure([Curve("grows", [0, 1], [1.0, 1e40])], x_title="x", y_title="y", start=1.0)
    low, high = figure["layout"]["yaxis"]["range"]
    assert low < 0 < high < 1.2 * DECADES


def test_one_point_is_a_dot_and_a_straight_axis_begins_at_zero():
    figure = curves_figure([Curve("one", [5], [3.0])], x_title="x", y_title="y", log=False)
    assert figure["data"][0]["mode"] == "markers"
    assert figure["layout"]["yaxis"]["range"][0] == 0
    left, right = figure["layout"]["xaxis"]["range"]
    assert left < 5 < right


def test_names_at_the_same_height_are_pushed_apart():
    curves = [Curve(name, [0, 1], [1.0, 2.0], label=name) for name in "abc"]
    places = [label["y"] for label in curves_figure(curves, x_title="x", y_title="y")["layout"]["annotations"]]
    assert min(abs(a - b) for i, a in enumerate(places) for b in places[:i]) > 0.05


@pytest.mark.parametrize("log", [True, False])
def test_nothing_at_all_still_has_axes(log):
    figure = curves_figure([Curve("none", [0, 1], [math.nan, math.nan], label="none")], x_title="x", y_title="y", log=log)
    assert figure["layout"]["annotations"] == []
    assert np.isfinite(figure["layout"]["yaxis"]["range"]).all()
