import numpy as np
import pytest

from core.analysis.backward import backward_pass
from core.models.layers import ACTIVATIONS
from core.models.rnn import backward, forward
from tests.core.gradients import relative
from tests.core.networks import network, window


@pytest.mark.parametrize("truncation", [None, 4])
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_the_derivatives_are_those_of_the_core_for_the_sum_of_the_losses(activation, truncation):
    params, (tokens, targets) = network(dtype=np.float32), window()
    b = backward_pass(params, tokens, targets, activation=activation, truncation=truncation)
    wide, T = params.copy(np.float64), len(tokens)
    g = backward(forward(wide, tokens[:, None], activation=activation), targets[:, None], truncation=truncation)
    assert np.abs(b.dh - T * g.h[:, 0]).max() <= 1e-12
    assert np.abs(b.da - T * g.a[:, 0]).max() <= 1e-12
    assert np.abs(b.from_loss + b.from_future - b.dh).max() <= 1e-12
    assert np.abs(b.dh * b.slope - b.da).max() <= 1e-12


@pytest.mark.parametrize("D", [0, 5])
def test_the_contributions_of_the_steps_add_up_to_the_gradients(D):
    params, (tokens, targets) = network(D=D), window()
    b = backward_pass(params, tokens, targets)
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
    assert b.flow().of_sum == pytest.approx(np.linalg.norm(b.dh, axis=1))
    assert np.diagonal(b.flow().norms) == pytest.approx(np.linalg.norm(b.from_loss, axis=1))
