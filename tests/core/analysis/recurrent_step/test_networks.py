"""Every number of the Recurrent step page is the core's."""

import numpy as np
import pytest

from core.analysis.recurrent_step.networks import probability_moved, read_with_state, read_without_state, share_of_memory, swapped
from core.models import mlp, rnn
from core.models.initialisation import init_params
from core.models.loss import softmax


@pytest.fixture(params=[0, 5], ids=["one-hot", "embedding"])
def network(request):
    return init_params(9, 6, embedding_size=request.param, rng=np.random.default_rng(3), dtype=np.float64)


TEXT = np.array([3, 1, 4, 1, 5, 2, 6, 5])


def test_what_is_read_is_what_the_networks_compute(network):
    trace = rnn.forward(network, TEXT[:, None])
    seen = read_with_state(network, TEXT, "tanh")
    np.testing.assert_array_equal(seen.p, softmax(trace.logits[-1, 0]))
    np.testing.assert_array_equal(seen.h, trace.h[1:, 0])
    plain = mlp.without_state(network)
    without = read_without_state(plain, TEXT, "tanh")
    np.testing.assert_array_equal(without.p, softmax(mlp.forward(plain, TEXT[:, None])[1][-1, 0]))
    assert without.h.shape == seen.h.shape


def test_only_a_state_notices_that_earlier_tokens_changed_places(network):
    plain, other = mlp.without_state(network), swapped(TEXT, 1, 2)
    assert other.tolist() == [3, 4, 1, 1, 5, 2, 6, 5]
    assert probability_moved(read_without_state(plain, TEXT, "tanh"), read_without_state(plain, other, "tanh")) == 0
    assert probability_moved(read_with_state(network, TEXT, "tanh"), read_with_state(network, other, "tanh")) > 0
    alike = swapped(TEXT, 1, 3)
    assert probability_moved(read_with_state(network, TEXT, "tanh"), read_with_state(network, alike, "tanh")) == 0


def test_the_share_of_memory_is_that_of_the_last_pre_activation(network):
    network.b_h[...] = [0.5, -0.2, 0.1, 0, 0.3, -0.4]
    h = rnn.forward(network, TEXT[:-1, None]).h[-1, 0]
    memory = np.abs(h @ network.W_hh).sum()
    x = np.eye(9)[TEXT[-1]] if network.W_emb is None else network.W_emb[TEXT[-1]]
    from_input = np.abs(x @ network.W_xh).sum()
    assert share_of_memory(network, TEXT, "tanh") == pytest.approx(memory / (memory + from_input + 1.5), rel=1e-9)
    network.W_hh[:] = 0
    assert share_of_memory(network, TEXT, "tanh") == 0
