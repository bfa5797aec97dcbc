"""Every number of the Recurrent step page is the core's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.recurrent_step import (
    difference,
    draw_matrices,
    growth,
    in_both_orders,
    moved,
    network_of,
    never_seen,
    numbers,
    read_with_state,
    read_without_state,
    share_of_memory,
    slope_curve,
    step_back,
    swapped,
    two_ways,
    weights_before_the_hidden_layer,
)
from core.models import mlp, rnn
from core.models.loss import softmax
from core.models.params import Params
from core.text.corpus import Stream

sizes = st.integers(1, 6)


@given(sizes, sizes, sizes, st.integers(0, 99))
def test_two_products_are_one(N, D, H, seed):
    ways = two_ways(draw_matrices(N, D, H, np.random.default_rng(seed)))
    assert ways.difference < 1e-13
    np.testing.assert_allclose(ways.addends.sum(axis=2), ways.two, atol=1e-13)


def test_the_sum_of_two_products_is_what_the_network_takes_the_tanh_of():
    m = draw_matrices(3, 2, 4, np.random.default_rng(0))
    _, trace = network_of(m)
    np.testing.assert_array_equal(two_ways(m).two, trace.a[0])
    np.testing.assert_allclose(trace.h[1], np.tanh(m.X @ m.W_xh + m.H @ m.W_hh), rtol=1e-12)


@pytest.mark.parametrize("decimals", [1, 4])
def test_drawn_numbers_are_as_short_as_they_are_shown(decimals):
    m = draw_matrices(6, 6, 6, np.random.default_rng(1), decimals=decimals)
    for x in (m.X, m.W_xh, m.H, m.W_hh):
        np.testing.assert_array_equal(x, np.round(x, decimals))
    assert np.abs(m.H).max() < 1


@pytest.mark.parametrize("D", [0, 5])
def test_growth_counts_what_a_network_has(D):
    V, H = 11, 7
    g = growth(V, H, D)
    assert g.rnn == Params.zeros(V, H, D).flat.size
    assert g.table[:3] == [V, V**2, V**3]
    assert g.window[1] == g.rnn - H * H  # with one token to look at, the window network is the one without a state
    assert {b - a for a, b in zip(g.window, g.window[1:], strict=False)} == {(D or V) * H}


@given(st.lists(st.integers(0, 2), min_size=2, max_size=60), st.lists(st.integers(0, 2), min_size=2, max_size=30))
def test_never_seen_is_what_a_set_says(train, judged):
    shares = never_seen(stream(train), stream(judged), 3, longest=4)
    for n, share in enumerate(shares, 1):
        grams = [tuple(judged[i : i + n]) for i in range(len(judged) - n + 1)]
        known = {tuple(train[i : i + n]) for i in range(len(train) - n + 1)}
        if grams:
            assert share == pytest.approx(np.mean([gram not in known for gram in grams]))
        else:
            assert np.isnan(share)


def stream(tokens):
    ids = np.array(tokens, np.int32)
    return Stream(ids[:-1], ids[1:])


def test_what_is_learnt_does_not_depend_on_how_long_the_text_is():
    n = numbers(N=32, D=0, H=128, V=103)
    assert n.total == 42_983 == sum(np.prod(shape) for shape in n.learnt.values())
    assert n.kept == {1: 4096, 10: 40_960, 100: 409_600}


@pytest.fixture(params=[0, 5], ids=["one-hot", "embedding"])
def network(request):
    return rnn.init_params(9, 6, embedding_size=request.param, rng=np.random.default_rng(3), dtype=np.float64)


TEXT = np.array([3, 1, 4, 1, 5, 2, 6, 5])


def test_what_is_read_is_what_the_networks_compute(network):
    trace = rnn.forward(network, TEXT[:, None])
    seen = read_with_state(network, TEXT, "tanh")
    np.testing.assert_array_equal(seen.p, softmax(trace.logits[-1, 0]))
    np.testing.assert_array_equal(seen.h, trace.h[1:, 0])
    plain = mlp.without_state(network)
    without = read_without_state(plain, TEXT, "tanh")
    np.testing.assert_array_equal(without.p, softmax(mlp.forward(plain, TEXT[:, None]).logits[-1, 0]))
    assert without.h.shape == seen.h.shape


def test_only_a_state_notices_that_earlier_tokens_changed_places(network):
    plain, other = mlp.without_state(network), swapped(TEXT, 1, 2)
    assert other.tolist() == [3, 4, 1, 1, 5, 2, 6, 5]
    assert moved(read_without_state(plain, TEXT, "tanh"), read_without_state(plain, other, "tanh")) == 0
    assert moved(read_with_state(network, TEXT, "tanh"), read_with_state(network, other, "tanh")) > 0
    alike = swapped(TEXT, 1, 3)
    assert moved(read_with_state(network, TEXT, "tanh"), read_with_state(network, alike, "tanh")) == 0


def test_the_share_of_memory_is_that_of_the_last_pre_activation(network):
    h = rnn.forward(network, TEXT[:-1, None]).h[-1, 0]
    memory = np.abs(h @ network.W_hh).sum()
    x = np.eye(9)[TEXT[-1]] if network.W_emb is None else network.W_emb[TEXT[-1]]
    from_input = np.abs(x @ network.W_xh).sum()
    assert share_of_memory(network, TEXT, "tanh") == pytest.approx(memory / (memory + from_input), rel=1e-9)
    network.W_hh[:] = 0
    assert share_of_memory(network, TEXT, "tanh") == 0


@given(sizes, sizes, sizes, st.integers(0, 20))
def test_one_step_back_is_the_chain_rule_written_out(N, D, H, seed):
    m = draw_matrices(N, D, H, np.random.default_rng(seed))
    b = step_back(m, np.random.default_rng(seed))
    np.testing.assert_allclose(b.h_next, np.tanh(b.a), rtol=1e-12)
    np.testing.assert_allclose(b.dt, b.dh_next * (1 - b.h_next**2), atol=1e-14)
    np.testing.assert_allclose(b.slope, 1 - np.tanh(b.a) ** 2, atol=1e-14)
    for ours, by_hand in (
        (b.db, b.dt.sum(axis=0)),
        (b.dW_hh, m.H.T @ b.dt),
        (b.dh_prev, b.dt @ m.W_hh.T),
        (b.dW_xh, m.X.T @ b.dt),
        (b.dx, b.dt @ m.W_xh.T),
    ):
        np.testing.assert_allclose(ours, by_hand, atol=1e-13)
    assert np.abs(b.dh_next).max() > 0


def test_the_curve_is_one_over_cosh_squared():
    a, slope = slope_curve(4.0)
    assert (a[0], a[-1]) == (-4.0, 4.0)
    np.testing.assert_allclose(slope, 1 / np.cosh(a) ** 2, rtol=1e-9)


def test_a_sum_does_not_hear_the_order_and_a_state_does():
    m = draw_matrices(7, 3, 4, np.random.default_rng(0))
    o = in_both_orders(m, 0, 1)
    assert difference(o.summed) == 0
    assert difference(o.joined) > 0
    assert difference(o.states) > 0
    first = np.tanh(m.X[0] @ m.W_xh)
    np.testing.assert_allclose(o.states[0], np.tanh(m.X[1] @ m.W_xh + first @ m.W_hh), rtol=1e-12)
    same = in_both_orders(m, 2, 2)
    assert difference(same.joined) == difference(same.states) == 0


def test_only_side_by_side_pays_for_every_word():
    two, ten = (weights_before_the_hidden_layer(3, 4, n) for n in (2, 10))
    assert (two["sum"], two["joined"], two["state"]) == (12, 24, 28)
    assert ten == two | {"joined": 120}
