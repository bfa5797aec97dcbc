import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.analysis import truncation
from core.analysis.backward import backward_pass
from core.analysis.gradient_flow import gradient_flow
from core.analysis.truncation import TruncationCells, blocks, tbptt, window
from core.analysis.unrolled import unroll
from core.models.params import Params
from tests.core.gradients import Problem, problem, relative

T = 7
CASES = [{"activation": "tanh"}, {"activation": "relu"}, {"activation": "sigmoid", "D": 3}, {"N": 1}, {"carried": False, "N": 1}]
PROBLEMS = [problem(T=T, seed=i, **case) for i, case in enumerate(CASES)]
steps = st.integers(1, 12)


def cells_of(p: Problem) -> TruncationCells:
    gradients = p.gradients()
    return TruncationCells(gradients.trace, gradient_flow(gradients, vectors=True))


CELLS = [cells_of(p) for p in PROBLEMS]
any_problem = pytest.mark.parametrize(("p", "cells"), list(zip(PROBLEMS, CELLS, strict=True)))


def weights(cells: TruncationCells, first: np.ndarray) -> dict[str, np.ndarray]:
    """The truncated gradients of the sum of all losses with respect to W_xh, W_hh and b_h."""
    trace, params = cells.trace, cells.trace.params
    rows, h = cells.da(first), trace.h[:-1].reshape(-1, params.hidden_size)
    x = np.eye(params.vocab_size)[trace.tokens.reshape(-1)]
    x = x if params.W_emb is None else x @ params.W_emb
    return {"W_xh": x.T @ rows, "W_hh": h.T @ rows, "b_h": rows.sum(axis=0)}


def kept(first: np.ndarray) -> np.ndarray:
    """The kept cells as a Boolean matrix [t-1, k-1]."""
    t = np.arange(1, len(first) + 1)
    return (t >= first[:, None]) & (t <= t[:, None])


def close(a: dict[str, np.ndarray], b: dict[str, np.ndarray], bound: float) -> None:
    assert a.keys() >= set(truncation.LAYER_WEIGHTS)
    for name in truncation.LAYER_WEIGHTS:
        assert relative(np.asarray(a[name]), np.asarray(b[name])) < bound, name


@given(steps, steps)
def test_blocks_and_windows_are_cases_of_the_general_truncation(length, tau):
    t, k = np.mgrid[1 : length + 1, 1 : length + 1]
    np.testing.assert_array_equal(kept(blocks(length, tau)), (k <= t) & ((t - 1) // tau == (k - 1) // tau))
    np.testing.assert_array_equal(blocks(length, tau), tbptt(length, tau, tau))
    np.testing.assert_array_equal(kept(window(length, tau)), (k <= t) & (t - k < tau))
    np.testing.assert_array_equal(window(length, tau), tbptt(length, 1, tau))
    assert truncation.mean_reach(blocks(tau * length, tau)) == pytest.approx((tau - 1) / 2)


@given(steps, steps, steps)
def test_every_k1_steps_the_last_k1_losses_go_back_k2_steps(length, k1, more):
    k2, expected = k1 + more, np.zeros((length, length), bool)
    for now in range(k1, length + k1, k1):  # the last group may be incomplete
        for t in range(now - k1 + 1, min(now, length) + 1):
            expected[t - 1, max(now - k2, 0) : t] = True
    np.testing.assert_array_equal(kept(tbptt(length, k1, k2)), expected)


@any_problem
@pytest.mark.parametrize("tau", range(1, T + 3))
def test_the_truncated_gradient_is_that_of_training(p, cells, tau):
    trained = p.gradients(tau).dparams.named()
    close({name: dw / p.tokens.size for name, dw in weights(cells, blocks(T, tau)).items()}, trained, 1e-12)


@any_problem
@pytest.mark.parametrize("tau", range(1, T + 1))
def test_a_sliding_window_is_the_sum_over_a_band_of_single_derivatives(p, cells, tau):
    flow = gradient_flow(p.gradients(), vectors=True)
    h, tokens = p.trace.h, p.tokens
    band = {name: np.zeros_like(getattr(p.params, name)) for name in truncation.LAYER_WEIGHTS}
    for t in range(1, T + 1):
        for k in range(max(1, t - tau + 1), t + 1):
            da = flow.vectors[t - 1, k - 1] * p.trace.slope[k]
            x = np.eye(p.params.vocab_size)[tokens[k - 1]]
            x = x if p.params.W_emb is None else x @ p.params.W_emb
            band["W_xh"] += x.T @ da
            band["W_hh"] += h[k - 1].T @ da
            band["b_h"] += da.sum(axis=0)
    close(weights(cells, window(T, tau)), band, 1e-12)


@any_problem
def test_cosines_and_ratios_are_those_of_the_matrices(p, cells):
    schemes = [blocks(T, tau) for tau in range(1, T + 1)] + [window(T, 2), tbptt(T, 2, 5)]
    compared, whole = cells.compare(schemes), weights(cells, window(T, T))
    for i, first in enumerate(schemes):
        for j, (name, cut) in enumerate(weights(cells, first).items()):
            size = np.linalg.norm(whole[name])
            assert compared.cosine[i, j] == pytest.approx((cut * whole[name]).sum() / size / np.linalg.norm(cut), abs=1e-10)
            assert compared.ratio[i, j] == pytest.approx(np.linalg.norm(cut) / size, abs=1e-10)
            assert compared.lost[i, j] == pytest.approx(np.linalg.norm(whole[name] - cut) / size, abs=1e-6)
        assert compared.kept[i] == pytest.approx((cells.norms * kept(first)).sum() / cells.norms.sum())


def test_an_exploded_network_gives_nan():
    p = problem(T=T, activation="relu", N=1)
    p.params.W_hh[...] *= 1e200
    assert not np.isfinite(cells_of(p).compare([blocks(T, 2)]).cosine).all()


def test_invalid_k1_and_k2_and_a_flow_without_vectors_are_refused():
    for k1, k2 in ((0, 3), (3, 2), (-1, 1)):
        with pytest.raises(ValueError):
            tbptt(5, k1, k2)
    with pytest.raises(ValueError):
        TruncationCells(PROBLEMS[0].trace, gradient_flow(PROBLEMS[0].gradients()))
    with pytest.raises(ValueError):
        truncation.unroll_with_resets(*single_window(PROBLEMS[3]), 0)


def single_window(p: Problem) -> tuple[Params, np.ndarray, np.ndarray]:
    return p.params, p.tokens[:, 0], p.targets[:, 0]


@pytest.mark.parametrize("p", PROBLEMS)
@pytest.mark.parametrize("tau", [1, 2, 3, 7, 9])
def test_every_block_is_a_window_of_its_own(p, tau):
    params, tokens, targets = single_window(p)
    u = truncation.unroll_with_resets(params, tokens, targets, tau, activation=p.activation)
    b = truncation.backward_with_resets(params, u, tau)
    sizes = truncation.sizes_with_resets(b, tau)
    for start in range(0, T, tau):
        block = slice(start, start + tau)
        alone = unroll(params, tokens[block], targets[block], activation=p.activation)
        back = backward_pass(params, tokens[block], targets[block], activation=p.activation)
        for name in ("a", "from_input", "from_memory", "logits", "p", "losses"):
            np.testing.assert_allclose(getattr(u, name)[block], getattr(alone, name), rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(u.h[1:][block], alone.h[1:], rtol=1e-12)
        for name in ("from_loss", "from_future", "dh", "da"):
            np.testing.assert_allclose(getattr(b, name)[block], getattr(back, name), rtol=1e-9, atol=1e-14)
        np.testing.assert_allclose(sizes[block, block], back.flow().norms, rtol=1e-9)
        assert (sizes[block, :start] == 0).all()
