"""What figures of several pages share: charts and their axes, the backward pass, and the triangle of sizes."""

import base64
import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.analysis.backward import backward_pass
from core.analysis.gradient_flow import GradientFlow, from_future, from_loss
from core.analysis.unrolled import top_variance_units
from core.figures.parts import triangle
from core.figures.parts.axes import DECADES, Axis, linear_axis, log_axis, log_axis_between, readable_ticks, updates_axis
from core.figures.parts.backward import THINNEST, WIDEST, arrow, backward_numbers, backward_scene
from core.figures.parts.chart import Curve, chart
from core.figures.parts.network import UNITS
from core.models.rnn import backward, forward
from tests.core.figures.drawings import value
from tests.core.networks import unrolled_network

odd = st.one_of(st.floats(1e-300, 1e300), st.sampled_from([0.0, math.nan, math.inf]))
three = st.tuples(*[st.floats(1e-9, 1e9)] * 3).map(sorted)


def over_lags(*curves: Curve, start: float | None = None) -> dict:
    """A chart with a straight axis across and a logarithmic one upright, as the pages make it."""
    x = linear_axis("x, steps", (value for curve in curves for value in curve.x))
    return chart(curves, x, log_axis("y, nats", (value for curve in curves for value in curve.y), start))


def upright(figure: dict) -> tuple[float, float]:
    return tuple(figure["layout"]["yaxis"]["range"])


@given(st.lists(st.lists(odd, min_size=1, max_size=6), min_size=1, max_size=4))
def test_any_values_are_points_or_gaps_of_a_logarithmic_axis(columns):
    figure = over_lags(*(Curve(f"{i}", list(range(len(y))), y, label=f"curve {i}") for i, y in enumerate(columns)))
    axis, (low, high) = figure["layout"]["yaxis"], upright(figure)
    assert -math.inf < low < high < math.inf
    assert all(low <= tick <= high for tick in axis["tickvals"])
    for curve, y in zip(figure["data"], columns, strict=True):
        for height, number in zip(curve["y"], y, strict=True):
            assert height == (pytest.approx(math.log10(number), rel=1e-5) if 0 < number < math.inf else None)


def test_a_curve_may_leave_the_picture_and_its_name_does_not():
    figure = over_lags(Curve("fades", [0, 1, 2], [1.0, 1e-10, 1e-40], label="fades"))
    low, high = upright(figure)
    assert high - low < 1.2 * DECADES
    assert figure["data"][0]["y"][-1] == -40
    assert 0 <= figure["layout"]["annotations"][0]["y"] <= 1
    low, high = upright(over_lags(Curve("grows", [0, 1], [1.0, 1e40]), start=1.0))
    assert low < 0 < high < 1.2 * DECADES


@given(st.integers(0, 10**6))
def test_the_untrained_network_is_left_of_all_updates(last):
    axis = updates_axis(last)
    places = [axis.place(update) for update in (0, 1, max(last, 1))]
    assert axis.low < places[0] < places[1] <= places[2] < axis.high < places[2] + 1.1
    assert axis.ticks[0][0] == pytest.approx(places[0], abs=1e-4)
    assert [words for _, words in axis.ticks[:3]] == ["0", "1", "10"]
    assert axis.place(-1) is None


@given(st.floats(1, 1e5), st.floats(1.1, 1e5))
def test_ticks_are_a_few_round_numbers_apart_from_each_other(low, times):
    axis = log_axis_between("perplexity", low, low * times)
    assert all(axis.low - 1e-6 <= place <= axis.high + 1e-6 for place, _ in axis.ticks)
    assert (times >= 2.5) <= len(axis.ticks) <= 16
    places = [place for place, _ in readable_ticks(low, low * times)]
    assert all(math.log10(low) - 1e-9 <= place <= math.log10(low * times) + 1e-9 for place in places)
    assert len(places) >= 3 or times < 2
    assert times < 1.5 or all(b - a > 0.08 * min(math.log10(times), 1) for a, b in pairwise(places))
    assert times < 100 or all(f"{10**place:e}"[0] in "125" for place in places)


def test_a_name_is_beside_the_last_point_of_its_curve():
    figure = over_lags(Curve("ends", [0, 1, 2], [1.0, 2.0, math.nan], label="ends"), Curve("no name", [0], [1.0]))
    low, high = upright(figure)
    (label,) = figure["layout"]["annotations"]
    assert label["y"] == pytest.approx((math.log10(2) - low) / (high - low), abs=1e-3)
    assert [Axis("y", 0.0, 2.0).fraction(place) for place in (-1.0, 0.5, 9.0)] == [0, 0.25, 1]


@pytest.mark.parametrize("activation", ["tanh", "relu", "sigmoid"])
def test_sizes_are_those_of_the_core_s_backward(activation):
    T = 15
    params, u = unrolled_network(T, H=32, activation=activation)
    b = backward_pass(params, u.tokens, u.targets, activation=activation)
    g = backward(forward(params.copy(np.float64), u.tokens[:, None], activation=activation), u.targets[:, None])
    branches = from_loss(g), from_future(g)[1:], g.h, g.a
    scene, numbers = backward_scene(b), backward_numbers(b, u)
    units = top_variance_units(u.h[1:], UNITS)
    for t, step in enumerate(numbers["steps"]):
        truth = [np.linalg.norm(T * part[t]) for part in branches]
        assert [value(size) for size in step["sizes"]] == pytest.approx(truth, rel=0.006)
        assert [value(scene[name][t][2]) for name in ("from_loss", "from_future")] == pytest.approx(truth[:2], rel=0.006)
        block_maxima = max(np.abs(T * part[t, 0, units]).max() for part in branches)
        assert np.abs(np.array(step["strips"][2]) / 100 * block_maxima - T * g.h[t, 0, units]).max() <= 0.0051 * block_maxima
    so_far = np.frombuffer(base64.b64decode(numbers["so_far"]), np.int8).reshape(T, -1)
    assert np.corrcoef(so_far[0], g.params.W_hh[np.ix_(units, units)].ravel())[0, 1] > 0.999
    assert float(numbers["steps"][0]["whole"]) == pytest.approx(np.linalg.norm(T * g.params.W_hh), rel=0.006)


def test_the_arrows_can_be_of_the_last_loss_alone():
    params, u = unrolled_network(7)
    flow = backward_pass(params, u.tokens, u.targets).flow()
    scene = backward_scene(backward_pass(params, u.tokens, u.targets), of_last=flow)
    assert [size for _, _, size in scene["from_loss"][:-1]] == ["0"] * 6
    assert scene["from_future"][-1][2] == "0"
    sizes = [*(size for _, _, size in scene["from_future"][:-1]), scene["from_loss"][-1][2]]
    assert [value(size) for size in sizes] == pytest.approx(flow.norms[-1].tolist(), rel=0.006)


def test_nothing_comes_from_the_future_across_a_truncation():
    params, u = unrolled_network(10)
    b = backward_pass(params, u.tokens, u.targets, truncation=4)
    assert backward_numbers(b, u)["cut"] == [3, 7]
    assert [t for t in range(9) if backward_scene(b)["from_future"][t][2] == "0"] == [3, 7]


@given(three)
def test_a_larger_gradient_has_no_thinner_arrow_and_no_lighter_shade(sizes):
    (thin, light, _), (thick, dark, _), (thickest, *_) = (arrow(size, sizes[2]) for size in sizes)
    assert THINNEST <= thin <= thick <= thickest == WIDEST
    assert light <= dark
    shades = [triangle.shade(size, sizes[2]) for size in sizes]
    assert triangle.SHADES[0] <= shades[0] <= shades[1] <= shades[2] == triangle.SHADES[1]


def flow(norms: list, of_sum: list) -> dict:
    found = GradientFlow(np.asarray(norms)[..., None], np.asarray(of_sum))
    return triangle.flow_triangle(found, "a" * len(norms), "b" * len(norms))


def test_every_cell_of_the_triangle_has_its_number():
    norms = np.tril(np.random.default_rng(0).lognormal(0, 3, (7, 7)))
    scene = triangle.triangle_scene(norms, "a" * 7, "b" * 7)
    assert [len(row) for row in scene["words"]] == [len(row) for row in scene["shades"]] == list(range(1, 8))
    assert [value(word) for row in scene["words"] for word in row] == pytest.approx(norms[np.tril_indices(7)].tolist(), rel=0.006)
    assert [triangle.shade(size, 1000.0) for size in (1.0, 1000.0)] == list(triangle.SHADES)


def test_the_size_of_the_sum_is_beside_the_sum_of_the_sizes():
    below = flow([[1.0, 0], [1, 2]], [0.5, 2])["below"]
    assert below["words"] == [["0.500", "2.00"], ["2.00", "2.00"]]
    assert below["left"] == ["25 %", "100 %"]
    assert below["bars"] == [[250, 1000], [1000, 1000]]


@pytest.mark.parametrize(("size", "kind"), [(0.0, triangle.ZERO), (np.inf, triangle.NOT_FINITE), (np.nan, triangle.NOT_FINITE)])
def test_what_has_no_logarithm_has_a_shade_and_a_note(size, kind):
    scene = flow([[size]], [size])
    assert scene["shades"] == [[kind]]
    assert scene["notes"]
