"""The figures of the page Truncation: blocks, mini-batches and bounds equal the core's."""

import math
import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.analysis.cost import Line, Lines, in_blocks
from core.analysis.mini_batches import mini_batches
from core.analysis.truncation import LAYER_WEIGHTS, Truncated
from core.text.languages import echo_floor_with_reset, echo_language
from core.training.curves import Point
from pages.figures.parts import cost_charts
from pages.figures.parts.numbers import number
from pages.figures.truncation import block_borders, echo_bound, truncation_curves
from pages.figures.truncation.batch_order import mini_batches_drawing, order_figure
from pages.figures.truncation.truncation_curves import Sample, over_training_figure
from tests.pages.figures.drawings import trace

LINES = Lines(Line(1e-4, 2e-4), Line(2e-4, 3e-4), Line(1000, 500), Line(0, 0))


@given(st.integers(1, 40), st.integers(1, 40), st.sampled_from([mode for mode, _ in block_borders.MODES]))
def test_there_is_a_border_after_each_block_but_the_last(T, tau, mode):
    places = [border["after"] for border in block_borders.borders(T, tau, mode)]
    assert places == ([] if mode == "no cut" else list(range(tau, T, tau)))


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 5))
def test_the_curves_over_tau_are_within_their_axes_and_written_at_every_stop(T, tau, seed):
    values = np.random.default_rng(seed).uniform(-1, 1.2, (T, 3))
    values[0, 0] = np.nan
    scene = truncation_curves.tau_chart(values, [1, tau, T], 1, title="", subtitle="", y_title="")
    (low, high), taus = scene["ends"], [1, min(tau, T), T]
    assert all(low <= tick <= high for tick, _ in scene["ticks"])
    assert (scene["taus"][-1], sorted(set(scene["taus"]))) == (T, scene["taus"])
    assert [stop["tau"] for stop in scene["stops"]] == taus
    for line, words in zip(scene["lines"], zip(*(stop["words"] for stop in scene["stops"]), strict=True), strict=True):
        truth = values[:, LAYER_WEIGHTS.index(line["label"])]
        assert np.array(line["values"], float) == pytest.approx(truth, rel=1e-5, nan_ok=True)
        assert all(low <= x <= high for x in truth[np.isfinite(truth)])
        assert list(words) == [number(truth[at - 1], 3) for at in taus]


def test_the_curves_over_training_are_those_of_the_present_tau():
    samples = [Sample(u, Truncated(np.full((5, 3), 0.1 * u), np.ones((5, 3)), np.full(5, 0.2))) for u in (0, 1, 7)]
    samples[-1].truncated.cosine[2, 1] = 0.55
    figure = over_training_figure(samples, 3)
    for name, truth in (("cosine, W_hh", [0, 0.1, 0.55]), ("cosine, W_xh", [0, 0.1, 0.7]), ("kept share", [0.2] * 3)):
        assert trace(figure, name)["y"] == pytest.approx(truth)


@pytest.mark.parametrize("tau", [1, 7, 10, 1000])
def test_every_block_of_a_long_text_is_drawn_apart_from_the_next(tau):
    *_, back = cost_charts.long_text_figure(1000, tau)["data"]
    stretches = [back["x"][i : i + 2] for i in range(0, len(back["x"]), 3)]
    assert len(stretches) == -(-1000 // tau)
    assert all(end < start for (_, end), (start, _) in pairwise(stretches))


def test_the_cost_of_a_long_text_is_that_of_the_fitted_lines():
    priced = [in_blocks(LINES, 1000, tau) for tau in (1, 10, 1000)]
    rows = {name: values for name, *values in cost_charts.long_text_numbers(1000, priced[2], priced[1])["rows"]}
    assert rows["stored for the backward pass"] == ["1 MB", "10.5 kB"]
    assert rows["changes of the weights"] == ["1", "100"]
    made = cost_charts.price_grid(1000, 2, priced, 10)["rows"]
    times, kept = ([row["cells"][i]["bar"] for row in made] for i in (0, 1))
    assert (times, kept) == (sorted(times, reverse=True), sorted(kept))


@given(st.integers(1, 32), st.integers(1, 35), st.integers(0, 2000), st.booleans())
def test_every_row_of_a_mini_batch_has_its_span_on_the_bar(N, T, more, in_order):
    m = mini_batches(N * T + more, N, T, in_order=in_order)
    scene = mini_batches_drawing(m, None, in_order=in_order)
    x, _, width, _ = scene["bar"]
    assert len(scene["follows"]) == len(scene["frames"]) > 0
    for frame, places in zip(scene["frames"], m.places, strict=True):
        assert [left for left, _ in frame["spans"]] == pytest.approx((x + places[0] / m.length * width).tolist(), abs=0.06)
        assert all(left + wide <= x + width + 3 for left, wide in frame["spans"])
        assert 1 <= int(re.search(r"update (\d+) of", frame["where"])[1]) <= m.per_epoch
        assert len(frame["blocks"]) == len(scene["lanes"]) <= 4


def test_both_orders_and_the_best_possible_are_on_the_axis():
    judged = {"in order": [Point(0, 0, 0.0, 0.7), Point(5, 9, 0.0, 0.3)], "shuffled": [Point(0, 0, 0.0, 0.7)]}
    figure = order_figure(judged, chosen="shuffled", floor=1.22, updates=400, V=2, on_training_text=False)
    assert trace(figure, "in order")["y"] == pytest.approx([math.exp(0.7), math.exp(0.3)], rel=1e-4)
    assert trace(figure, "best possible")["y"][0] == pytest.approx(1.22, rel=1e-4)
    low, high = figure["layout"]["yaxis"]["range"]
    assert all(10**low < y < 10**high for curve in figure["data"] for y in curve["y"])


@pytest.mark.parametrize("k", [2, 4, 8])
def test_the_bound_and_every_finite_dot_are_on_the_axes(k):
    bounds = {tau: echo_floor_with_reset(k, tau) for tau in range(1, 21)}
    measured = [echo_bound.Dot(*seen) for seen in ((3, 2.01, 100, True), (8, 1.5, 50, False), (9, math.inf, 0, False))]
    figure = echo_bound.echo_bound_figure(bounds, measured, k=k, present=8)
    assert trace(figure, "bound")["y"] == pytest.approx(list(bounds.values()), rel=1e-4)
    assert trace(figure, "measured")["x"] == [3]
    assert trace(figure, "still learning")["x"] == trace(figure, "present")["x"] == [8]
    low, high = figure["layout"]["yaxis"]["range"]
    assert all(low < y < high for curve in figure["data"] for y in curve["y"])


@given(st.integers(1, 8), st.integers(1, 30))
def test_an_answer_is_known_if_its_question_is_in_its_window(k, length):
    inputs, targets = echo_language(30, k, np.random.default_rng(0))
    scene = echo_bound.task_drawing(inputs, targets, k=k, length=length)
    columns = scene["columns"]
    assert len(scene["borders"]) == (len(columns) - 1) // length
    assert [column["known"] for column in columns] == [t % length >= k for t in range(len(columns))]
    assert [column["answer"] for column in columns[k:]] == [column["input"] for column in columns[:-k]]
