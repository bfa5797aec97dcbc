"""Every number of the Recurrent step page is the core's."""

from contextlib import suppress
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.recurrent_step.back import one_step_back, slope_curve, ways_to_multiply
from core.analysis.recurrent_step.matrices import draw_matrices

sizes = st.integers(1, 6)
SLOPES = {  # by the definition of each, as functions of the pre-activation
    "tanh": lambda a: 1 / np.cosh(a) ** 2,
    "sigmoid": lambda a: np.exp(-a) / (1 + np.exp(-a)) ** 2,
    "relu": lambda a: (a > 0).astype(float),
}


@given(sizes, sizes, sizes, st.integers(0, 20), st.sampled_from(sorted(SLOPES)))
def test_one_step_back_is_the_chain_rule_written_out(N, D, H, seed, activation):
    m = draw_matrices(N, D, H, np.random.default_rng(seed), activation=activation)
    b = one_step_back(m, np.random.default_rng(seed), activation)
    np.testing.assert_allclose(b.a, m.X @ m.W_xh + m.H @ m.W_hh + m.b, atol=1e-13)
    np.testing.assert_allclose(b.from_memory + b.from_input + b.bias, b.a, atol=1e-13)
    np.testing.assert_allclose(b.slope, SLOPES[activation](b.a), atol=1e-13)
    np.testing.assert_allclose(b.dt, b.dh_next * b.slope, atol=1e-14)
    for ours, by_hand in (
        (b.db, b.dt.sum(axis=0)),
        (b.dW_hh, m.H.T @ b.dt),
        (b.dh_prev, b.dt @ m.W_hh.T),
        (b.dW_xh, m.X.T @ b.dt),
        (b.dx, b.dt @ m.W_xh.T),
    ):
        np.testing.assert_allclose(ours, by_hand, atol=1e-13)
    assert np.abs(b.dh_next).max() > 0


@pytest.mark.parametrize("activation", SLOPES)
def test_the_curve_is_the_derivative_of_the_activation(activation):
    a, slope = slope_curve(4.0, activation)
    assert (a[0], a[-1]) == (-4.0, 4.0)
    np.testing.assert_allclose(slope, SLOPES[activation](a), rtol=1e-9, atol=1e-12)


@given(sizes, sizes, sizes, sizes, st.tuples(sizes, sizes))
def test_the_ways_to_multiply_are_those_that_can_be_carried_out(a, b, c, d, wanted):
    one, other, found = np.ones((a, b)), np.ones((c, d)), 0
    for first, second in ((one, other), (other, one)):
        for x, y in product((first, first.T), (second, second.T)):
            with suppress(ValueError):
                found += (x @ y).shape == wanted
    assert ways_to_multiply(one.shape, other.shape, wanted) == found


def test_only_inputs_with_a_width_of_their_own_have_one_product_of_their_shape():
    N, D, H = 3, 2, 4
    assert ways_to_multiply((D, N), (N, H), (D, H)) == ways_to_multiply((N, H), (H, D), (N, D)) == 1
    assert ways_to_multiply((H, N), (N, H), (H, H)) == 2  # the other one is its transpose
    assert ways_to_multiply((N, H), (H, H), (N, H)) == 2  # shapes do not tell W_hh from its transpose
    assert ways_to_multiply((6, 6), (6, 6), (6, 6)) == 8
