import autograd
import autograd.numpy as anp
import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.analysis import gradient_flow as module
from core.analysis.backward import backward_pass
from core.analysis.gradient_flow import additive_norms, from_future, from_loss, gradient_flow, lag_curve, recurrent_shares
from core.models.layers import ACTIVATIONS
from core.models.rnn import backward, forward
from tests.core.gradients import PHI, Problem, losses, no_nudges, problem, relative
from tests.core.networks import network, window


def flow_of(p: Problem, **options) -> module.GradientFlow:
    return gradient_flow(p.gradients(), **options)


def autograd_flow(p: Problem) -> np.ndarray:
    """Shape (T, T, N, H): the derivative of each loss with respect to a nudge of every state."""
    nudges = no_nudges(p)

    def loss(h: np.ndarray, t: int):
        return losses(p, p.params.named(), p.h0, nudges | {"h": h})[t].sum()

    return np.stack([autograd.grad(loss)(nudges["h"], t) for t in range(len(p.tokens))])


@pytest.mark.parametrize("D", [0, 5])
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_each_loss_agrees_with_autograd(activation, D):
    p = problem(activation, D=D)
    flow, truth = flow_of(p, vectors=True), autograd_flow(p)
    assert relative(flow.vectors, truth) < 1e-10
    assert relative(flow.per_sequence, np.linalg.norm(truth, axis=-1)) < 1e-10
    assert relative(flow.norms, np.sqrt((truth**2).sum(axis=(2, 3)))) < 1e-10
    for t, k in zip(*np.tril_indices(len(truth)), strict=True):
        assert relative(flow.vectors[t, k], truth[t, k]) < 1e-10


@given(st.sampled_from(sorted(ACTIVATIONS)), st.integers(1, 9), st.integers(1, 4), st.integers(1, 8), st.integers(2, 6))
def test_the_losses_add_up_to_ordinary_backpropagation(activation, T, N, H, V):
    p = problem(activation, V=V, H=H, T=T, N=N, seed=T + H)
    g = p.gradients()
    flow = gradient_flow(g, vectors=True)
    whole = T * N * g.dh[1:]
    assert np.abs(flow.vectors.sum(axis=0) - whole).max() <= 1e-12 * max(np.abs(whole).max(), 1)
    assert flow.of_sum == pytest.approx(np.linalg.norm(whole, axis=(1, 2)), rel=1e-10, abs=1e-13)
    assert (flow.of_sum <= flow.sum_of_norms * (1 + 1e-12) + 1e-13).all()
    assert (flow.norms[np.triu_indices(T, 1)] == 0).all()


def test_norms_do_not_depend_on_the_vectors_a_truncation_or_the_dtype():
    p = problem()
    flow = flow_of(p, vectors=True)
    assert (flow_of(p).per_sequence == flow.per_sequence).all()
    assert flow_of(p).vectors is None
    assert relative(gradient_flow(p.gradients(truncation=2)).per_sequence, flow.per_sequence) < 1e-15
    narrow = gradient_flow(backward(forward(p.params.copy(np.float32), p.tokens, p.h0), p.targets))
    assert narrow.per_sequence.dtype == np.float32
    assert relative(narrow.per_sequence, flow.per_sequence) < 1e-4


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_the_shares_of_the_recurrent_gradient_add_up_to_it(activation):
    p = problem(activation, T=7, N=3)
    T, N = p.tokens.shape
    g, trace = p.gradients(), p.trace
    flow = gradient_flow(g, vectors=True)
    shares = recurrent_shares(trace, flow)
    items = np.array([[trace.h[k].T @ (flow.vectors[t, k] * trace.slope[k + 1]) for k in range(T)] for t in range(T)])
    whole = T * N * g.dparams.W_hh
    assert relative(items.sum(axis=(0, 1)), whole) < 1e-12
    assert shares.items == pytest.approx(np.linalg.norm(items, axis=(2, 3)), rel=1e-9, abs=1e-12)
    assert shares.by_step == pytest.approx(np.linalg.norm(items.sum(axis=0), axis=(1, 2)), rel=1e-9)
    assert shares.shares == pytest.approx((items * whole).sum(axis=(2, 3)) / (whole**2).sum(), rel=1e-9, abs=1e-12)
    assert shares.shares.sum() == pytest.approx(1)


def test_networks_that_exploded_or_have_no_gradient_and_flows_without_vectors():
    p = problem("relu", T=8, N=1)
    with pytest.raises(ValueError):
        recurrent_shares(p.trace, flow_of(p))
    p.params.W_hh[...] = 1e80
    assert not np.isfinite(flow_of(p).norms).all()
    p.params.W_hq[...] = 0
    p.params.W_hh[...] = 0.1
    assert (flow_of(p).norms == 0).all()
    assert np.isnan(recurrent_shares(p.trace, flow_of(p, vectors=True)).shares).all()


def test_the_rate_of_a_network_that_halves_its_state_is_a_half():
    params = network(4, 5)
    params.W_hh[...], params.W_xh[...], params.b_h[...] = 0.5 * np.eye(5), 0, 1
    tokens, targets = np.random.default_rng(1).integers(0, 4, (2, 16, 1))
    curve = lag_curve(gradient_flow(backward(forward(params, tokens, activation="relu"), targets)).norms)
    assert curve.rate == pytest.approx(0.5, rel=0.05)
    assert ((curve.low <= curve.median) & (curve.median <= curve.high)).all()


def test_quartiles_are_over_the_losses_of_one_lag():
    norms = np.tril(np.arange(1.0, 26).reshape(5, 5))
    curve = lag_curve(norms)
    for lag in range(5):
        of_lag = [norms[t, t - lag] for t in range(lag, 5)]
        assert (curve.low[lag], curve.median[lag], curve.high[lag]) == tuple(np.quantile(of_lag, (0.25, 0.5, 0.75)))


def test_line_fits_halving_medians_and_is_missing_otherwise():
    lags = np.subtract.outer(np.arange(12), np.arange(12))
    curve = lag_curve(np.where(lags >= 0, 3 * 0.5 ** np.maximum(lags, 0).astype(float), 0.0))
    assert curve.line == pytest.approx(curve.median[: curve.fitted])
    assert curve.median_from(6.0) == pytest.approx(2 * curve.median)
    assert lag_curve(np.zeros((3, 3))).median_from(6.0) is None
    for norms in (np.zeros((3, 3)), np.full((3, 3), np.inf), np.full((3, 3), np.nan), np.ones((1, 1))):
        assert np.isnan(lag_curve(norms).rate)


def test_shares_by_lag_and_against_the_gradient():
    parts = np.array([[0.5, 0.0, 0.0], [0.2, 0.3, 0.0], [-0.1, 0.05, 0.05]])
    shares = module.RecurrentShares(np.abs(parts), parts.sum(axis=0), parts)
    assert shares.of_lag == pytest.approx([0.85, 0.25, -0.1])
    assert shares.against == pytest.approx(0.1)
    assert shares.lag_of_share(0.8) == (0, pytest.approx(0.85))
    assert shares.lag_of_share(0.9) == (1, pytest.approx(1.1))
    assert shares.lag_of_share(2.0) == (2, pytest.approx(1.0))


@pytest.mark.parametrize(("H", "N"), [(6, 3), (6, 1), (136, 64)])
@pytest.mark.parametrize("truncation", [None, 1, 2, 4], ids=lambda tau: f"tau={tau}")
def test_the_gradient_of_a_state_is_that_of_its_loss_plus_the_future(truncation, H, N):
    p = problem(H=H, N=N)
    g = p.gradients(truncation)
    future = from_future(g)
    np.testing.assert_allclose((from_loss(g) + future)[1:], g.dh[1:], rtol=1e-12, atol=1e-16)
    np.testing.assert_allclose(from_loss(g), p.gradients(1).dh, rtol=1e-12)
    assert not future[-1].any()
    for t in range(1, len(g.losses)):
        assert future[t].any() == (truncation is None or t % truncation != 0)


@pytest.mark.parametrize("truncation", [None, 4])
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_the_derivatives_are_those_of_the_core_for_the_sum_of_the_losses(activation, truncation):
    params, (tokens, targets) = network(dtype=np.float32), window()
    b = backward_pass(params, tokens, targets, activation=activation, truncation=truncation)
    wide, T = params.copy(np.float64), len(tokens)
    g = backward(forward(wide, tokens[:, None], activation=activation), targets[:, None], truncation=truncation)
    assert np.abs(b.dh - T * g.dh[1:, 0]).max() <= 1e-12
    assert np.abs(b.da - T * g.da[1:, 0]).max() <= 1e-12
    assert np.abs(b.from_loss + b.from_future - b.dh).max() <= 1e-12
    assert np.abs(b.dh * b.slope - b.da).max() <= 1e-12


@pytest.mark.parametrize("D", [0, 5])
def test_the_contributions_of_the_steps_add_up_to_the_gradients(D):
    params, (tokens, targets) = network(D=D), window()
    b = backward_pass(params, tokens, targets)
    T, H, grads = len(tokens), params.hidden_size, b.gradients.dparams
    so_far = b.recurrent_so_far(np.arange(H))
    assert relative(so_far[0], T * grads.W_hh) < 1e-12
    assert relative(so_far[-1], np.outer(b.h[-2], b.da[-1])) < 1e-12
    assert b.recurrent_sizes == pytest.approx(np.linalg.norm(so_far, axis=(1, 2)))
    inputs = b.trace.params.W_emb[tokens] if D else np.eye(params.vocab_size)[tokens]
    for t in range(T):
        pieces = (np.outer(inputs[t], b.da[t]), np.outer(b.h[t], b.da[t]), b.da[t])
        assert b.piece_sizes[t] == pytest.approx([np.linalg.norm(piece) for piece in pieces])
    assert relative(inputs.T @ b.da, T * grads.W_xh) < 1e-12
    assert b.flow().of_sum == pytest.approx(np.linalg.norm(b.dh, axis=1))
    assert np.diagonal(b.flow().norms) == pytest.approx(np.linalg.norm(b.from_loss, axis=1))


@pytest.mark.parametrize("D", [0, 5])
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_the_additive_path_agrees_with_autograd_and_keeps_more_than_the_network(activation, D):
    p = problem(activation, D=D, N=1, carried=False)
    params, tokens, targets, keep = p.params, p.tokens[:, 0], p.targets[:, 0], 0.8
    words = np.eye(7) if params.W_emb is None else params.W_emb

    def loss(nudges, t):
        h = anp.zeros(6)
        for i in range(t + 1):
            a = anp.dot(words[tokens[i]], params.W_xh) + anp.dot(h, params.W_hh) + params.b_h
            h = keep * h + (1 - keep) * PHI[activation](a) + nudges[i]
        found = anp.dot(h, params.W_hq) + params.b_q
        return anp.log(anp.sum(anp.exp(found))) - found[targets[t]]

    truth = [np.linalg.norm(autograd.grad(loss)(np.zeros((6, 6)), t), axis=1) for t in range(6)]
    assert relative(additive_norms(params, tokens, targets, keep=keep, activation=activation), np.array(truth)) < 1e-10
    alone = additive_norms(params, tokens, targets, keep=0.0, activation=activation)
    assert relative(alone, flow_of(p).norms) < 1e-10  # without the path it is the network itself


def test_an_additive_path_that_keeps_all_hands_a_gradient_on_unchanged():
    p = problem(N=1, carried=False)
    norms = additive_norms(p.params, p.tokens[:, 0], p.targets[:, 0], keep=1.0)
    assert norms == pytest.approx(np.tril(np.repeat(np.diag(norms)[:, None], len(norms), axis=1)))
