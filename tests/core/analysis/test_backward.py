"""The backward pass in its steps: all numbers are the core's, and the steps add up to its gradients."""

import numpy as np
import pytest

from core.analysis.backward import go_back
from core.models.initialisation import init_params
from core.models.rnn import backward, forward
from tests.core.gradients import relative

ACTIVATIONS = ("tanh", "relu", "sigmoid")


def window(T=9, V=7, H=6, D=0, seed=0):
    rng = np.random.default_rng(seed)
    params = init_params(V, H, embedding_size=D, gain=1.3, rng=rng)
    return params, *rng.integers(0, V, (2, T))


@pytest.mark.parametrize("truncation", [None, 4])
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_the_numbers_are_the_core_s_in_float64_for_the_sum_of_the_losses(activation, truncation):
    params, tokens, targets = window()
    b = go_back(params, tokens, targets, activation=activation, truncation=truncation)
    wide, T = params.copy(np.float64), len(tokens)
    g = backward(forward(wide, tokens[:, None], activation=activation), targets[:, None], truncation=truncation)
    assert np.abs(b.dh - T * g.h[:, 0]).max() <= 1e-12
    assert np.abs(b.da - T * g.a[:, 0]).max() <= 1e-12
    assert np.abs(b.from_loss + b.from_future - b.dh).max() <= 1e-12
    assert np.abs(b.dh * b.slope - b.da).max() <= 1e-12


@pytest.mark.parametrize("D", [0, 5])
def test_the_pieces_add_up_to_the_gradients_of_the_weights(D):
    params, tokens, targets = window(D=D)
    b = go_back(params, tokens, targets)
    T, H, grads = len(tokens), params.hidden_size, b.gradients.params
    so_far = b.recurrent_so_far(np.arange(H))
    assert relative(so_far[0], T * grads.W_hh) < 1e-12
    assert relative(so_far[-1], np.outer(b.h[-2], b.da[-1])) < 1e-12
    assert b.recurrent_sizes == pytest.approx(np.linalg.norm(so_far, axis=(1, 2)))
    inputs = b.trace.params.W_emb[tokens] if D else np.eye(params.vocab_size)[tokens]
    for t in range(T):
        pieces = (np.outer(inputs[t], b.da[t]), np.outer(b.h[t], b.da[t]), b.da[t])
        assert b.piece_sizes[t] == pytest.approx([np.linalg.norm(piece) for piece in pieces])
    assert relative(inputs.T @ b.da, T * grads.W_xh) < 1e-12


def test_the_branches_add_up_to_the_flow_of_all_losses():
    params, tokens, targets = window()
    b = go_back(params, tokens, targets)
    assert b.flow().of_sum == pytest.approx(np.linalg.norm(b.dh, axis=1))
    assert np.diagonal(b.flow().norms) == pytest.approx(np.linalg.norm(b.from_loss, axis=1))


def test_an_exploded_network_goes_back_without_a_warning():
    params, tokens, targets = window()
    params.W_hh[...] = 1e30
    b = go_back(params.copy(np.float64), tokens, targets, activation="relu")
    assert len(b.piece_sizes) == len(b.recurrent_sizes) == len(tokens)
    assert not np.isfinite(b.recurrent_sizes).all()
