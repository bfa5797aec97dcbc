"""Every number of the Recurrent step page is the core's."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.recurrent_step.back import one_step_back, slope_curve
from core.analysis.recurrent_step.matrices import draw_matrices

sizes = st.integers(1, 6)


@given(sizes, sizes, sizes, st.integers(0, 20))
def test_one_step_back_is_the_chain_rule_written_out(N, D, H, seed):
    m = draw_matrices(N, D, H, np.random.default_rng(seed))
    b = one_step_back(m, np.random.default_rng(seed))
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
