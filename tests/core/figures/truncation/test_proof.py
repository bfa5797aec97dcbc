"""The proof: bound, dots and words say the same, and an answer is shown if it can be known."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.figures.truncation.proof import Dot, proof_figure, proof_label, proof_words, task_scene
from core.text.languages import echo_floor_with_reset, echo_language


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
    assert "2<sup>" in "".join(note["text"] for note in figure["layout"]["annotations"])


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
