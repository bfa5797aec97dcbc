import autograd
import autograd.numpy as anp
import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.analysis.gradient_flow import from_future
from core.analysis.jacobian import SATURATED_BELOW, growing_products, saturated, share_saturated, singular_values, spectrum_of
from core.models.layers import ACTIVATIONS
from tests.core.gradients import PHI, Problem, problem, relative


def by_autograd(p: Problem, start: int, end: int, n: int) -> np.ndarray:
    """d h_end / d h_start of batch row n, (H, H): [i, j] is the derivative of h_end[j] with respect to h_start[i]."""
    params, tokens = p.params, p.tokens[:, n]

    def run(h):
        for t in range(start, end):
            x = params.W_xh[tokens[t]] if params.W_emb is None else params.W_emb[tokens[t]] @ params.W_xh
            h = PHI[p.activation](x + anp.dot(h, params.W_hh) + params.b_h)
        return h

    return autograd.jacobian(run)(p.trace.h[start, n]).T


def jacobian(W_hh: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """d h_t / d h_(t-1) as in the backward step: for each unit, the gradient of h_t with respect to the previous state."""
    rows = np.eye(len(W_hh))
    rows = (rows * slope) @ W_hh.T
    return rows.T


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("D", [0, 4], ids=["one-hot", "embedding"])
def test_one_step_and_products_agree_with_autograd(activation, D):
    p = problem(activation, T=7, N=3, D=D)
    slope = p.trace.slope[1:]
    for n in range(3):
        product = np.eye(6)
        for s in range(1, 8):
            product = jacobian(p.params.W_hh, slope[7 - s, n]) @ product
            assert relative(product, by_autograd(p, 7 - s, 7, n)) < 1e-12
    spectra = list(growing_products(p.params.W_hh, slope[:, 2], range(1, 8)))
    for s, logs in enumerate(spectra, 1):
        exact = np.linalg.svd(by_autograd(p, 7 - s, 7, 2), compute_uv=False)
        finite = np.isfinite(logs)
        assert np.allclose(10 ** logs[finite], exact[finite], rtol=1e-9)
        assert (exact[~finite] <= 1e-13 * exact[0]).all()


def test_a_span_of_one_is_the_last_step_and_no_step_exceeds_the_bound():
    p = problem(T=6, N=1)
    W_hh, slope = p.params.W_hh, p.trace.slope[1:, 0]
    found = spectrum_of(p.trace, (1, 6), list(growing_products(W_hh, slope, (1, 6))))
    steps = [np.linalg.norm(jacobian(W_hh, at), 2) for at in slope]
    assert 10 ** found.logs[0][0] == pytest.approx(steps[-1])
    assert max(steps) <= found.stretch * (1 + 1e-12)
    assert found.radius == pytest.approx(np.abs(np.linalg.eigvals(W_hh)).max())
    g = p.gradients()
    assert np.allclose(from_future(g)[5, 0], g.dh[6, 0] @ jacobian(W_hh, slope[5]).T, rtol=1e-12)


@pytest.mark.parametrize("size", [1e-5, 1e5])
def test_products_of_a_thousand_steps_neither_vanish_nor_overflow(size):
    q, _ = np.linalg.qr(np.random.default_rng(0).standard_normal((5, 5)))
    (logs,) = growing_products(size * q, np.ones((1000, 5)), [1000])
    assert np.allclose(logs, 1000 * np.log10(size), rtol=1e-9)


def test_singular_values_below_rounding_of_zero_slopes_and_of_non_finite_matrices():
    logs = dict(zip((5, 30), growing_products(np.diag([1.0, 0.1]), np.ones((30, 2)), (5, 30)), strict=True))
    assert np.allclose(logs[5], [0, -5])
    assert logs[30] == pytest.approx([0, -np.inf])
    (logs,) = growing_products(np.eye(3), np.zeros((2, 3)), [2])
    assert (logs == -np.inf).all()
    (logs,) = growing_products(np.full((3, 3), np.inf), np.ones((2, 3)), [2])
    assert np.isnan(logs).all()
    assert np.isnan(singular_values(np.full((2, 2), np.nan))).all()
    for spans in ([0], [3], [2, 2], [2, 1]):
        with pytest.raises(ValueError):
            list(growing_products(np.eye(2), np.ones((2, 2)), spans))


@given(st.integers(0, 20), st.sampled_from(sorted(ACTIVATIONS)))
def test_the_saturated_share_counts_units(seed, activation):
    trace = problem(activation, T=3, N=2, seed=seed).trace
    share = share_saturated(trace)
    assert share.shape == (3,)
    assert ((share >= 0) & (share <= 1)).all()
    assert np.allclose(share * 12, np.round(share * 12))
    if activation == "tanh":
        assert np.allclose(share, (np.abs(trace.h[1:]) > np.sqrt(1 - SATURATED_BELOW)).mean(axis=(1, 2)))
    if activation == "relu":
        assert np.allclose(share, (trace.h[1:] == 0).mean(axis=(1, 2)))
    assert saturated(np.array([[np.nan, 1.0]]), "tanh").tolist() == [[True, False]]
