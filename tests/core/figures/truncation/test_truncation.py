"""The pictures of the Truncation page say what the numbers say, inside their frames."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.mini_batches import mini_batches
from core.analysis.truncation import blocks, mean_reach
from core.figures.truncation.cut import MODES, borders, kept_panel, kept_words, scheme_words, sentence, tau_chart
from core.figures.truncation.mini_batches import mini_batches_scene
from core.figures.truncation.order import order_figure
from core.figures.truncation.over_training import Sample, over_training_figure
from core.figures.truncation.proof import Dot, proof_figure, proof_label, proof_words, task_scene
from core.text.languages import echo_floor_with_reset, echo_language
from core.training.history import Point

taus = st.integers(1, 40)


@given(st.integers(1, 40), taus, st.sampled_from([mode for mode, _ in MODES]))
def test_every_tau_has_borders_and_a_sentence(T, tau, mode):
    places = [border["after"] for border in borders(T, tau, mode)]
    assert places == ([] if mode == "no cut" else list(range(tau, T, tau)))
    assert sentence(T, tau, mode, mean_reach(blocks(T, tau))).endswith(".")


@pytest.mark.parametrize(
    ("T", "tau", "mode", "word"),
    [
        (15, 1, "carry", "τ = 1"),
        (15, 20, "carry", "longer"),
        (15, 15, "carry", "whole"),
        (15, 4, "carry", "last block has 3 steps"),
    ],
)
def test_what_is_special_about_a_tau_is_said(T, tau, mode, word):
    assert word in sentence(T, tau, mode, 1.0)


@given(st.sampled_from(["blocks", "window", "tbptt"]), taus, st.integers(1, 8))
def test_every_scheme_has_a_sentence(scheme, tau, k1):
    words = scheme_words(scheme, tau, min(k1, tau), 1.5)
    assert words.endswith(".")
    assert ("blocks" in words) == (scheme != "blocks")


def test_the_whole_alone_is_called_a_hundred_per_cent():
    assert kept_words(1.0) == "100 %"
    assert kept_words(0.99999) == "99.9 %"
    assert kept_words(0.544) == "54 %"
    assert kept_words(math.nan) == "–"
    assert "9 of 15" in kept_panel(0.5, blocks(5, 3).tolist(), "carry")["detail"]


@given(st.integers(1, 40), taus, st.integers(0, 5))
def test_a_tau_chart_stays_in_its_frame(T, tau, seed):
    values = np.random.default_rng(seed).uniform(-1, 1.2, (T, 3))
    values[0, 0] = np.nan
    scene = tau_chart(values, [1, tau], 1, title="", says="", y_title="")
    left, top, right, bottom = scene["plot"]
    for line in scene["lines"]:
        points = [tuple(map(float, point.split())) for point in line["path"].removeprefix("M").split("L") if point]
        assert all(left <= x <= right and top <= y <= bottom for x, y in points)
    for stop, at in zip(scene["stops"], (1, min(tau, T)), strict=True):
        assert left <= stop["at"] <= right
        assert all(ring is None or top <= ring <= bottom for ring in stop["rings"])
        assert stop["tau"] == str(at)
    assert all(b[0] - a[0] >= 20 for a, b in zip(scene["x"], scene["x"][1:], strict=False))
    assert 2 <= len(scene["y"]) <= 7


def test_the_curves_over_training_are_those_of_the_present_tau():
    samples = [Sample(u, np.full((5, 3), 0.1 * u), np.ones((5, 3)), np.full(5, 0.2)) for u in (0, 1, 7)]
    samples[-1].cosine[2, 1] = 0.55
    figure = over_training_figure(samples, 3)
    by_name = {trace["name"]: trace for trace in figure["data"]}
    assert by_name["cosine, W_hh"]["y"][-1] == 0.55
    assert by_name["cosine, W_xh"]["y"][-1] == pytest.approx(0.7)
    assert over_training_figure(samples, 99)["data"]


@pytest.mark.parametrize("k", [2, 4, 8])
def test_the_proof_draws_the_bound_and_every_finite_dot_on_the_axes(k):
    bounds = {tau: echo_floor_with_reset(k, tau) for tau in range(1, 21)}
    dots = [Dot(3, 2.01, 100, True), Dot(8, 1.5, 50, False), Dot(9, math.inf, 0, False)]
    figure = proof_figure(bounds, dots, k=k, present=8)
    by_name = {trace["name"]: trace for trace in figure["data"]}
    assert by_name["measured"]["x"] == [3]
    assert by_name["still learning"]["x"] == by_name["present"]["x"] == [8]
    low, high = figure["layout"]["yaxis"]["range"]
    assert all(low < y < high for trace in figure["data"] for y in trace["y"])
    assert "1.50" in proof_label(dots, k)


@given(st.integers(1, 8), st.integers(1, 20))
def test_the_words_beside_the_proof_hold_its_numbers(k, length):
    bound = echo_floor_with_reset(k, length)
    (now, law) = proof_words(Dot(length, 1.01 * bound, 10, True), bound, k=k, length=length)
    assert dict(now["rows"])["off by"] == "+1.00 %"
    assert f"{min(k, length)}/{length}" in law["formula"][0][0]
    assert proof_words(None, bound, k=k, length=length)


@given(st.integers(1, 8), st.integers(1, 30))
def test_an_answer_is_shown_if_it_lies_in_its_window(k, length):
    inputs, targets = echo_language(30, k, np.random.default_rng(0))
    scene = task_scene(inputs, targets, k=k, length=length)
    for t, column in enumerate(scene["columns"]):
        assert column["known"] == (t % length >= k)
        if t >= k:
            assert column["answer"] == scene["columns"][t - k]["input"]
    assert len(scene["borders"]) == (len(scene["columns"]) - 1) // length


@given(st.integers(1, 32), st.integers(1, 35), st.integers(0, 2000), st.booleans())
def test_mini_batches_lie_on_the_bar_and_say_where(N, T, more, in_order):
    m = mini_batches(N * T + more, N, T, in_order=in_order)
    scene = mini_batches_scene(m, None, in_order=in_order)
    x, _, width, _ = scene["bar"]
    for frame in scene["frames"]:
        assert len(frame["spans"]) == N
        assert all(x <= left and left + wide <= x + width + 3 for left, wide in frame["spans"])
        assert frame["said"].endswith(".")
        assert len(frame["blocks"]) == len(scene["lanes"]) <= 4
    assert len(scene["follows"]) == len(scene["frames"])


def test_the_race_is_drawn_with_its_floor():
    judged = {"in order": [Point(0, 0, 0.0, 0.7), Point(5, 9, 0.0, 0.3)], "shuffled": [Point(0, 0, 0.0, 0.7)]}
    figure = order_figure(judged, chosen="shuffled", floor=1.22, updates=400, V=2)
    widths = {trace["name"]: trace["line"]["width"] for trace in figure["data"]}
    assert max(widths, key=widths.get) == "shuffled"
    low, high = figure["layout"]["yaxis"]["range"]
    assert all(low <= y <= high for trace in figure["data"] for y in trace["y"])
    assert low < math.log10(1.22)
