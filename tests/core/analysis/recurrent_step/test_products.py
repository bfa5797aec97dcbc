"""Every number of the Recurrent step page is the core's."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.recurrent_step.matrices import draw_matrices, network_of, one_step
from core.analysis.recurrent_step.products import two_ways

sizes = st.integers(1, 6)


@given(sizes, sizes, sizes, st.integers(0, 99))
def test_two_products_are_one(N, D, H, seed):
    ways = two_ways(draw_matrices(N, D, H, np.random.default_rng(seed)))
    assert ways.difference < 1e-13
    np.testing.assert_allclose(ways.addends.sum(axis=2), ways.two, atol=1e-13)


def test_the_sum_of_two_products_and_the_bias_is_what_the_network_takes_the_tanh_of():
    m = draw_matrices(3, 2, 4, np.random.default_rng(0))
    trace = one_step(m, network_of(m))
    np.testing.assert_allclose(np.tanh(two_ways(m).two + m.b), trace.h[1], rtol=1e-12)
    np.testing.assert_allclose(two_ways(m).two, m.X @ m.W_xh + m.H @ m.W_hh, rtol=1e-12)
