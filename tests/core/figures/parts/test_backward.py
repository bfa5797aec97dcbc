"""The way back as a drawing: true numbers on a printed logarithmic scale, and nothing that cannot be drawn."""

import base64
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.backward import go_back
from core.analysis.branches import from_future, from_loss
from core.analysis.unrolled import liveliest, unroll
from core.figures.parts.backward import THINNEST, WIDEST, arrow, backward_numbers, backward_scene, level
from core.figures.parts.network import UNITS
from core.models.initialisation import init_params
from core.models.rnn import backward, forward
from core.text.tokenizer import Tokenizer

TOKENIZER = Tokenizer(tuple("abcdefgh "))


def passed(T=15, H=32, activation="tanh", seed=0, truncation=None, W_hh=None, W_hq=None, V=9):
    rng = np.random.default_rng(seed)
    params = init_params(V, H, gain=1.2, rng=rng).copy(np.float64)
    if W_hh is not None:
        params.W_hh[...] = W_hh
    if W_hq is not None:
        params.W_hq[...] = W_hq
    tokens, targets = rng.integers(0, V, (2, T))
    u = unroll(params, tokens, targets, activation=activation)
    return params, u, go_back(params, tokens, targets, activation=activation, truncation=truncation)


@pytest.mark.parametrize("activation", ["tanh", "relu", "sigmoid"])
def test_sizes_are_those_of_the_core_s_backward(activation):
    params, u, b = passed(activation=activation)
    T = len(u.tokens)
    g = backward(forward(params, u.tokens[:, None], activation=activation), u.targets[:, None])
    branches = from_loss(g), from_future(g)[1:], g.h, g.a
    scene, numbers = backward_scene(b), backward_numbers(b, u)
    for t in range(T):
        truth = [np.linalg.norm(T * part[t]) for part in branches]
        assert [float(size) for size in numbers["steps"][t]["sizes"]] == pytest.approx(truth, rel=0.006)
        assert float(scene["from_loss"][t][2]) == pytest.approx(truth[0], rel=0.006)
        assert float(scene["from_future"][t][2]) == pytest.approx(truth[1], rel=0.006)
        units = liveliest(u.h[1:], UNITS)
        dh = T * g.h[t, 0, units]
        drawn = np.array(numbers["steps"][t]["strips"][2])
        strongest = max(np.abs(T * part[t, 0, units]).max() for part in branches)
        assert np.abs(drawn / 100 * strongest - dh).max() <= 0.0051 * strongest


def test_the_map_that_fills_ends_at_the_gradient_of_the_weights():
    params, u, b = passed()
    numbers, T = backward_numbers(b, u), len(u.tokens)
    n = numbers["units"]
    map_of = np.frombuffer(base64.b64decode(numbers["so_far"]), np.int8).reshape(T, n, n)
    g = backward(forward(params, u.tokens[:, None]), u.targets[:, None])
    units = liveliest(u.h[1:], UNITS)
    whole = T * g.params.W_hh[np.ix_(units, units)]
    assert np.corrcoef(map_of[0].ravel(), whole.ravel())[0, 1] > 0.999
    assert float(numbers["steps"][0]["whole"]) == pytest.approx(np.linalg.norm(T * g.params.W_hh), rel=0.006)


def test_a_truncation_leaves_nothing_to_come_from_the_future():
    _, u, b = passed(T=10, truncation=4)
    numbers, scene = backward_numbers(b, u), backward_scene(b)
    assert numbers["cut"] == [3, 7]
    assert [scene["from_future"][t][2] for t in numbers["cut"]] == ["0", "0"]


@given(st.floats(1e-12, 1e12), st.floats(1e-12, 1e12), st.floats(1e-12, 1e12))
def test_a_larger_gradient_has_no_thinner_arrow(small, large, largest):
    small, large, largest = sorted((small, large, largest))
    assert THINNEST <= arrow(small, largest)[0] <= arrow(large, largest)[0] <= WIDEST
    assert arrow(small, largest)[1] <= arrow(large, largest)[1]
    assert arrow(largest, largest)[0] == WIDEST


def test_the_floor_of_the_scale_is_where_the_words_say():
    assert level(1, 100, 2) == 0
    assert level(10, 100, 2) == pytest.approx(0.5)
    _, _, b = passed()
    largest = max(np.linalg.norm(b.from_loss, axis=1).max(), np.linalg.norm(b.from_future, axis=1).max())
    assert f"{largest:.1f}" in backward_scene(b)["scale"]


ODD = {
    "one step": {"T": 1},
    "one unit": {"H": 1},
    "two symbols": {"V": 2},
    "exploded": {"W_hh": 1e150, "activation": "relu"},
    "no gradient": {"W_hq": 0.0},
    "no memory": {"W_hh": 0.0},
}


@pytest.mark.parametrize("odd", ODD)
def test_odd_networks_are_drawn_and_can_be_sent(odd):
    _, u, b = passed(**ODD[odd])
    scene = backward_scene(b, [{"after": 1, "forward": "reset", "backward": "cut", "name": "h1"}])
    sent = json.dumps([scene, backward_numbers(b, u)], allow_nan=False)
    assert "nan" not in sent
    arrows = [*scene["from_loss"], *scene["from_future"]]
    assert all(math.isfinite(width) and -1 <= shade <= 100 for width, shade, _ in arrows)
    if odd == "exploded":
        assert "exploded" in scene["scale"]
    if odd == "no gradient":
        assert {shade for _, shade, _ in arrows} == {-1}
        assert "zero" in scene["scale"]
