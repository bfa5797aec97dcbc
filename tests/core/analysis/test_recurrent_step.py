from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.analysis import one_step_matrices as matrices, recurrent_step
from core.analysis.one_step_matrices import difference, draw_matrices, in_both_orders, one_step_back, slope_curve, two_ways
from core.analysis.recurrent_step import after_text, growth, probability_moved, share_of_memory, swapped
from core.models import rnn
from core.models.loss import softmax
from core.models.params import Params
from core.text.token_stream import Windows
from tests.core.networks import network, places, stream

sizes = st.integers(1, 6)


@pytest.mark.parametrize(("activation", "decimals", "low", "high"), [
    ("tanh", 1, -1, 1), ("tanh", 4, -1, 1), ("sigmoid", 2, 0, 1), ("relu", 2, 0, np.inf),
])  # fmt: skip
def test_drawn_numbers_have_the_decimals_shown_and_the_range_of_the_activation(activation, decimals, low, high):
    m = draw_matrices(6, 6, 6, np.random.default_rng(1), decimals=decimals, activation=activation)
    for x in (m.X, m.W_xh, m.H, m.W_hh, m.b):
        np.testing.assert_array_equal(x, np.round(x, decimals))
    assert low <= m.H.min() < m.H.max() < high


@given(sizes, sizes, sizes, st.integers(0, 99))
def test_one_product_of_joined_matrices_is_the_sum_of_two_in_the_step(N, D, H, seed):
    m = draw_matrices(N, D, H, np.random.default_rng(seed))
    ways = two_ways(m)
    assert ways.difference < 1e-13
    np.testing.assert_allclose(ways.addends.sum(axis=2), ways.two_products, atol=1e-13)
    np.testing.assert_allclose(ways.two_products, m.X @ m.W_xh + m.H @ m.W_hh, atol=1e-13)
    np.testing.assert_allclose(np.tanh(ways.two_products + m.b), matrices.one_step(m, matrices.network_of(m)).h[1], atol=1e-13)


SLOPES = {  # the definitions of the derivatives as functions of the pre-activation
    "tanh": lambda a: 1 / np.cosh(a) ** 2,
    "sigmoid": lambda a: np.exp(-a) / (1 + np.exp(-a)) ** 2,
    "relu": lambda a: (a > 0).astype(float),
}


@given(sizes, sizes, sizes, st.integers(0, 20), st.sampled_from(sorted(SLOPES)))
def test_one_step_back_is_the_chain_rule(N, D, H, seed, activation):
    m = draw_matrices(N, D, H, np.random.default_rng(seed), activation=activation)
    b = one_step_back(m, np.random.default_rng(seed), activation)
    np.testing.assert_allclose(b.a, m.X @ m.W_xh + m.H @ m.W_hh + m.b, atol=1e-13)
    np.testing.assert_allclose(b.from_memory + b.from_input + b.bias, b.a, atol=1e-13)
    np.testing.assert_allclose(b.slope, SLOPES[activation](b.a), atol=1e-13)
    a, slope = slope_curve(4.0, activation)
    np.testing.assert_allclose(slope, SLOPES[activation](a), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(b.dt, b.dh_next * b.slope, atol=1e-14)
    by_hand = (b.dt.sum(axis=0), m.H.T @ b.dt, b.dt @ m.W_hh.T, m.X.T @ b.dt, b.dt @ m.W_xh.T)
    for ours, expected in zip((b.db, b.dW_hh, b.dh_prev, b.dW_xh, b.dx), by_hand, strict=True):
        np.testing.assert_allclose(ours, expected, atol=1e-13)
    assert np.abs(b.dh_next).max() > 0
    given_back = one_step_back(m, np.random.default_rng(seed), activation, b.dh_next)
    for name, value in vars(b).items():
        if name != "activation":
            np.testing.assert_allclose(getattr(given_back, name), value, atol=1e-13, err_msg=name)


@given(sizes, sizes, sizes, st.sampled_from(sorted(matrices.LETTERS_OF)), st.tuples(sizes, sizes))
def test_a_replaced_matrix_keeps_what_fits_of_the_others(N, D, H, name, shape):
    rows, columns = (shape[0], shape[0]) if name == "W_hh" else (1, shape[1]) if name == "b" else shape
    m, others = (draw_matrices(*sizes, np.random.default_rng(1)) for sizes in ((N, D, H), (matrices.LARGEST_SIZE,) * 3))
    values = np.full((rows, columns), 7.0)
    found = matrices.with_matrix(m, name, values, others)
    assert two_ways(found).one_product.shape == found.H.shape  # all shapes fit
    for other in matrices.LETTERS_OF:
        before, after = getattr(m, other), getattr(found, other)
        if other == name:
            np.testing.assert_array_equal(after, values)
        else:
            both = tuple(slice(min(a, b)) for a, b in zip(before.shape, after.shape, strict=True))
            np.testing.assert_array_equal(after[both], before[both])


@pytest.mark.parametrize(("name", "shape"), [("W_hh", (2, 3)), ("b", (2, 4)), ("X", (7, 2)), ("H", (2, 7))])
def test_a_matrix_of_a_shape_that_cannot_be_is_refused(name, shape):
    m, others = (draw_matrices(n, n, n, np.random.default_rng(1)) for n in (4, matrices.LARGEST_SIZE))
    with pytest.raises(ValueError) as refusal:
        matrices.with_matrix(m, name, np.zeros(shape), others)
    reason = {"W_hh": matrices.NOT_SQUARE, "b": matrices.NOT_ONE_ROW}.get(name, matrices.TOO_LARGE)
    assert refusal.value.args[0].id == reason.id


@given(sizes, sizes, sizes, sizes, st.tuples(sizes, sizes))
def test_ways_to_multiply_are_the_products_with_the_wanted_shape(a, b, c, d, wanted):
    pairs = [*product(((a, b), (b, a)), ((c, d), (d, c))), *product(((c, d), (d, c)), ((a, b), (b, a)))]
    found = sum(inner == outer and (rows, columns) == wanted for (rows, inner), (outer, columns) in pairs)
    assert matrices.ways_to_multiply((a, b), (c, d), wanted) == found


def test_the_state_depends_on_the_order_and_the_mean_does_not():
    m = draw_matrices(7, 3, 4, np.random.default_rng(0))
    o = in_both_orders(m, 0, 1)
    assert difference(o.mean) == 0
    np.testing.assert_allclose(o.mean, np.tile([m.X[0], m.X[1]], (2, 1, 1)).mean(axis=1), rtol=1e-12)
    assert difference(o.joined) > 0
    assert difference(o.states) > 0
    first = np.tanh(m.X[:1] @ m.W_xh + m.b)
    np.testing.assert_allclose(o.states[:1], np.tanh(m.X[1:2] @ m.W_xh + first @ m.W_hh + m.b), rtol=1e-12)
    assert in_both_orders(m, 0, 1, "relu").states.min() >= 0
    same = in_both_orders(m, 2, 2)
    assert difference(same.joined) == difference(same.states) == 0


def test_weights_for_every_word_of_joined_inputs():
    two, ten = (matrices.weights_before_the_hidden_layer(3, 4, n) for n in (2, 10))
    assert (two["mean"], two["joined"], two["state"]) == (12, 24, 28)
    assert ten == two | {"joined": 120}


def test_the_first_window_is_that_of_training_and_short_texts_are_repeated():
    text = stream(np.random.default_rng(0).integers(0, 9, 104))
    for N, T in ((4, 7), (1, 1), (10, 10), (3, 33)):
        np.testing.assert_array_equal(recurrent_step.first_window(text, N, T, most=5), next(Windows(text, N, T))[0].T[:5])
    assert recurrent_step.first_window(places(5), 8, 7, most=2).tolist() == [[0, 1, 2, 3, 4, 0, 1]] * 2


@pytest.fixture(params=[0, 5], ids=["one-hot", "embedding"])
def params(request: pytest.FixtureRequest) -> Params:
    return network(9, 6, request.param)


TEXT = np.array([3, 1, 4, 1, 5, 2, 6, 5])


def test_a_reading_is_that_of_the_network(params):
    trace = rnn.forward(params, TEXT[:, None])
    seen = after_text(params, TEXT, "tanh")
    np.testing.assert_array_equal(seen.p, softmax(trace.logits[-1, 0]))
    np.testing.assert_array_equal(seen.h, trace.h[1:, 0])


def test_only_the_network_with_a_state_depends_on_the_order(params):
    plain, other = params.copy(), swapped(TEXT, 1, 2)
    plain.W_hh[:] = 0
    assert other.tolist() == [3, 4, 1, 1, 5, 2, 6, 5]
    assert probability_moved(after_text(plain, TEXT, "tanh"), after_text(plain, other, "tanh")) == 0
    assert probability_moved(after_text(params, TEXT, "tanh"), after_text(params, other, "tanh")) > 0
    alike = swapped(TEXT, 1, 3)
    assert probability_moved(after_text(params, TEXT, "tanh"), after_text(params, alike, "tanh")) == 0


def test_the_share_of_memory_is_that_of_the_last_pre_activation(params):
    params.b_h[...] = [0.5, -0.2, 0.1, 0, 0.3, -0.4]
    h = rnn.forward(params, TEXT[:-1, None]).h[-1, 0]
    memory = np.abs(h @ params.W_hh).sum()
    x = np.eye(9)[TEXT[-1]] if params.W_emb is None else params.W_emb[TEXT[-1]]
    from_input = np.abs(x @ params.W_xh).sum()
    assert share_of_memory(params, TEXT, "tanh") == pytest.approx(memory / (memory + from_input + 1.5), rel=1e-9)
    params.W_hh[:] = 0
    assert share_of_memory(params, TEXT, "tanh") == 0


@pytest.mark.parametrize("D", [0, 5])
def test_growth_is_that_of_the_number_of_weights(D):
    V, H = 11, 7
    g = growth(V, H, D)
    assert g.rnn == Params.zeros(V, H, D).flat.size
    assert g.table[:3] == [V, V**2, V**3]
    assert g.window[1] == g.rnn - H * H  # with a window of one token, the window network is the RNN without W_hh
    assert {b - a for a, b in zip(g.window, g.window[1:], strict=False)} == {(D or V) * H}


@given(st.lists(st.integers(0, 2), min_size=2, max_size=60), st.lists(st.integers(0, 2), min_size=2, max_size=30))
def test_shares_never_seen_are_those_of_sets_of_n_grams(train, judged):
    shares = recurrent_step.never_seen(stream(train), stream(judged), 3, longest=4)
    for n, share in enumerate(shares, 1):
        grams = [tuple(judged[i : i + n]) for i in range(len(judged) - n + 1)]
        known = {tuple(train[i : i + n]) for i in range(len(train) - n + 1)}
        new = np.mean([gram not in known for gram in grams]) if grams else np.nan
        assert share == pytest.approx(new, nan_ok=True)


@given(st.lists(st.integers(0, 2), min_size=2, max_size=60), st.data())
def test_factors_of_a_product_of_bigrams_are_counts(train, data):
    at = data.draw(st.integers(0, len(train) - 2))
    piece = train[at : at + 3][: len(train) - 1 - at]
    factors = recurrent_step.two_gram_factors(stream(train), np.array(piece))
    assert factors[0] == (train[:-1].count(piece[0]), len(train) - 1)
    for (a, b), (often, of) in zip(pairwise(piece), factors[1:], strict=True):
        followers = [after for here, after in pairwise(train) if here == a]
        assert (often, of) == (followers.count(b), len(followers))
        assert often > 0
