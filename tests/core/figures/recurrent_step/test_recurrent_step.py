"""What is sent to the browser: the analysis's numbers, in the words and shapes of the screen."""

import json
import math
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.recurrent_step.back import slope_curve, step_back
from core.analysis.recurrent_step.matrices import draw_matrices
from core.analysis.recurrent_step.networks import AfterText
from core.analysis.recurrent_step.order import in_both_orders, weights_before_the_hidden_layer
from core.analysis.recurrent_step.products import two_ways
from core.analysis.recurrent_step.shapes import numbers
from core.analysis.recurrent_step.why import growth
from core.figures.parts.numbers import exponent, fixed, full
from core.figures.parts.style import THEMES
from core.figures.recurrent_step.back import slope_figure, slope_label, step_back_scene, step_back_words
from core.figures.recurrent_step.blocks import WIDTH
from core.figures.recurrent_step.networks import Judged, networks_scene
from core.figures.recurrent_step.order import order_scene, order_words
from core.figures.recurrent_step.products import products_scene
from core.figures.recurrent_step.shapes import shapes_scene, shapes_words
from core.figures.recurrent_step.why import growth_figure, growth_label, never_seen_figure, why_words
from tests.core.figures.colours import resolve

sizes = pytest.mark.parametrize(("N", "D", "H"), [(3, 1, 4), (1, 1, 1), (6, 6, 6), (2, 6, 1)])


def value(text):
    return float(text.replace("−", "-").strip("()"))


@sizes
@pytest.mark.parametrize("decimals", [1, 4])
def test_products_show_the_numbers(N, D, H, decimals):
    m = draw_matrices(N, D, H, np.random.default_rng(0), decimals=decimals)
    ways = two_ways(m)
    scene = products_scene(m, ways, decimals=decimals)
    json.dumps(scene, allow_nan=False)
    above, below = scene["equations"]
    for item, wanted in ((above[0], m.X), (above[2], m.W_xh), (above[4], m.H), (above[6], m.W_hh)):
        cells = item["parts"][0]["cells"]
        np.testing.assert_array_equal([[value(text) for text, _, _ in row] for row in cells], wanted)
    for item, wanted in ((above[8], ways.two), (below[4], ways.one)):
        cells = item["parts"][0]["cells"]
        np.testing.assert_allclose([[value(text) for _, _, text in row] for row in cells], wanted, atol=6e-7)
    assert below[0]["shape"] == f"{N}×{D + H}"
    assert below[2]["shape"] == f"{D + H}×{H}"


@sizes
def test_the_written_sum_is_a_sum(N, D, H):
    m = draw_matrices(N, D, H, np.random.default_rng(0))
    scene = products_scene(m, two_ways(m), decimals=1)
    for n in range(N):
        for j in range(H):
            addends, total = scene["sum"]["addends"][n][j], scene["sum"]["totals"][n][j]
            assert sum(value(product) for _, _, product, _ in addends) == pytest.approx(value(total), abs=1e-9)
            assert all(value(a) * value(b) == pytest.approx(value(p), abs=1e-9) for a, b, p, _ in addends)
            assert [tone for *_, tone in addends] == ["input"] * D + ["memory"] * H


def test_the_equation_of_the_second_source_fits_one_line():
    m = draw_matrices(3, 1, 4, np.random.default_rng(0))
    width, height, font = products_scene(m, two_ways(m), decimals=1)["cell"]
    assert (width, height, font) == (42, 30, 16)
    assert 17 * (width + 2) + 5 * 14 + 4 * 28 < WIDTH


@given(st.floats(-1e6, 1e6), st.sampled_from([1, 2, 4]))
def test_numbers_have_a_true_minus_and_no_minus_zero(number, decimals):
    for text in (fixed(number, decimals), full(number)):
        assert "-" not in text
        assert text not in ("−0", "−0.0", "−0.00", "−0.0000")
    assert value(fixed(number, decimals)) == pytest.approx(number, abs=0.51 * 10**-decimals)


def test_what_differs_by_rounding_alone_reads_the_same():
    for seed in range(60):
        m = draw_matrices(6, 6, 6, np.random.default_rng(seed))
        above, below = products_scene(m, two_ways(m), decimals=1)["equations"]
        read = [[[cell[0] for cell in row] for row in equation[-1]["parts"][0]["cells"]] for equation in (above, below)]
        assert read[0] == read[1]


def test_tiny_differences_are_said():
    assert exponent(0.0) == "exactly 0"
    assert exponent(4.44e-16) == "4.4e−16"


networks = pytest.mark.parametrize(("V", "H", "D"), [(103, 128, 0), (2, 32, 0), (5000, 64, 100), (20_000, 1, 1)])


@networks
@pytest.mark.parametrize("shares", [[0.0, 0.002, 0.5], [1.0] * 10, [0.1, float("nan")], None])
def test_charts_say_their_units_and_plotly_accepts_them(V, H, D, shares):
    g = growth(V, H, D)
    charts = [growth_figure(g, "word"), *([never_seen_figure(shares, "word")] if shares else [])]
    for chart, unit in zip(charts, ("parameters", "%"), strict=False):
        json.dumps(chart, allow_nan=False)
        for theme in THEMES:
            drawn = go.Figure(resolve(chart, theme))
            assert unit in drawn.layout.yaxis.title.text
            assert "words" in drawn.layout.xaxis.title.text
    json.dumps([why_words(g, shares and shares * 5, V, "word"), growth_label(g)], allow_nan=False)


@networks
def test_the_curves_are_the_counts_and_their_labels_are_apart(V, H, D):
    g = growth(V, H, D)
    chart = growth_figure(g, "bit")
    for trace, wanted in zip(chart["data"], (g.table, g.window, [g.rnn] * 10), strict=True):
        assert trace["y"] == pytest.approx([math.log10(value) for value in wanted], rel=1e-4)
    heights = sorted(label["y"] for label in chart["layout"]["annotations"])
    assert all(b - a > 0.1 for a, b in pairwise(heights))
    assert 0 < heights[0] < heights[-1] <= 1


@pytest.mark.parametrize(("N", "D", "H", "V"), [(32, 0, 128, 103), (1, 8, 1, 2), (256, 256, 512, 10_000), (1, 0, 512, 2)])
def test_shapes_are_drawn_to_one_scale(N, D, H, V):
    scene = shapes_scene(N, D, H, V)
    json.dumps([scene, shapes_words(numbers(N, D, H, V))])
    boxes = [item for line in scene["lines"] for item in line if isinstance(item, dict)]
    assert len({round(box["w"] / box["columns"], 2) for box in boxes}) == 1
    assert {box["name"] for box in boxes} >= {"X_t", "W_{xh}", "H_{t−1}", "W_{hh}", "H_t", "W_{hq}", "O_t"}
    for line in scene["lines"]:
        assert sum(box["w"] for box in line if isinstance(box, dict)) < WIDTH


def readings(p, other, H=20):
    h = np.random.default_rng(0).standard_normal((6, H))
    return AfterText(h, np.array(p)), AfterText(h, np.array(other))


def drawn(without, with_state, pair=(1, 2)):
    symbols = [" ", "<b>", "a", "\n", "a", "b"]
    scene = networks_scene(
        symbols,
        pair,
        without,
        with_state,
        vocabulary=["a", "b", " ", "<b>"],
        kind="word",
        judged=(Judged(10.46, 617), Judged(float("inf"), 0)),
        memory=0.63,
    )
    json.dumps(scene, allow_nan=False)
    return scene


def words_of(pieces):
    return "".join(text for text, _ in pieces)


def test_two_networks_show_both_predictions_and_say_which_moved():
    scene = drawn(readings([0.1, 0.6, 0.2, 0.1], [0.1, 0.6, 0.2, 0.1]), readings([0.1, 0.6, 0.2, 0.1], [0.4, 0.3, 0.2, 0.1], H=3))
    without, with_state = scene["sides"]
    assert scene["after"][1:3] == scene["before"][2:0:-1]
    assert with_state["predictions"][0] == ["b", 0.6, "60 %", 0.3, "30 %"]
    assert "does not move" in words_of(without["verdict"])
    assert "30 % of the probability" in words_of(with_state["verdict"])
    assert "63 %" in words_of(with_state["verdict"])
    assert without["perplexity"][0] == "10.5"
    assert with_state["perplexity"][0] == "∞"
    assert [len(column["cells"]) for column in with_state["columns"]] == [3] * 5
    assert max(abs(level) for column in without["columns"] for level in column["cells"]) <= 1


def test_an_exploded_network_and_an_exchange_of_equals_are_said():
    nothing = [float("nan")] * 4
    scene = drawn(readings([1.0, 0, 0, 0], [1.0, 0, 0, 0]), readings(nothing, nothing))
    assert "no longer finite" in words_of(scene["sides"][1]["verdict"])
    assert "alike" in words_of(drawn(readings([1.0], [1.0]), readings([1.0], [1.0]), pair=(2, 4))["sides"][0]["verdict"])


def exact(part):
    """The numbers of a part of a matrix as they are told when asked for, six decimals."""
    return [[value(text) for _, _, text in row] for row in part["cells"]]


@sizes
def test_one_step_back_shows_the_numbers_of_the_core(N, D, H):
    m = draw_matrices(N, D, H, np.random.default_rng(0))
    b = step_back(m, np.random.default_rng(1))
    scene = step_back_scene(m, b)
    json.dumps([scene, step_back_words(b), slope_label(b)], allow_nan=False)
    results = [equation["items"][-1] for equation in scene["equations"]]
    for item, wanted in zip(results, (b.dt, b.db[None], b.dW_hh, b.dh_prev, b.dW_xh, b.dx), strict=True):
        np.testing.assert_allclose(exact(item["parts"][0]), wanted, atol=6e-7)
        assert item["shape"] == f"{wanted.shape[0]}×{wanted.shape[1]}"
        assert item["lights"] == "cell"


def test_every_unit_stands_on_the_curve():
    b = step_back(draw_matrices(3, 1, 4, np.random.default_rng(0)), np.random.default_rng(1))
    chart = slope_figure(b, slope_curve(4.0))
    for theme in THEMES:
        go.Figure(resolve(chart, theme))
    dots = chart["data"][1]
    np.testing.assert_allclose(dots["y"], 1 - np.tanh(dots["x"]) ** 2, atol=1e-3)
    assert len(dots["x"]) == 12


def test_both_orders_are_compared_in_words():
    m = draw_matrices(7, 3, 4, np.random.default_rng(0))
    scene = order_scene(in_both_orders(m, 0, 1), ("you", "say"))
    assert [equation["items"][len(equation["items"]) // 2] for equation in scene["equations"]] == ["=", "≠", "≠"]
    assert "lost" in scene["equations"][0]["words"]
    same = order_scene(in_both_orders(m, 3, 3), ("and", "and"))
    assert all("same numbers" in equation["words"] for equation in same["equations"])
    prices = {n: weights_before_the_hidden_layer(3, 4, n) for n in (2, 10)}
    json.dumps([scene, order_words(prices, True)])
    assert len(order_words(prices, True)[0]["sentences"]) == 2
