"""The cut: every tau and every scheme is said, and the curves over tau stay in their frame."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.truncation import blocks, mean_reach
from core.figures.truncation.cut import MODES, borders, kept_panel, kept_words, scheme_words, sentence, tau_chart

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
