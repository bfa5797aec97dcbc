"""The network without a state: its gradients, checked as those of the recurrent network are."""

import inspect

import autograd
import autograd.numpy as anp
import numpy as np
import pytest

from core.models import rnn
from core.models.layers import ACTIVATIONS
from core.models.mlp import Mlp, backward, forward, without_state
from tests.core.gradients import PHI, relative, worst_along_directions
from tests.core.networks import network

plain_forward, plain_backward = inspect.unwrap(forward), inspect.unwrap(backward)  # without the tests' check of shapes
activations = pytest.mark.parametrize("activation", ACTIVATIONS)
inputs = pytest.mark.parametrize("D", [0, 5], ids=["one-hot", "embedding"])


def mlp(V: int = 7, D: int = 0) -> Mlp:
    params = without_state(network(V, 6, D))
    params.flat[:] += 0.2 * np.random.default_rng(2).standard_normal(params.flat.size)  # biases too
    return params


def batch(V: int = 7) -> np.ndarray:
    """Tokens and targets, (2, T, N)."""
    return np.random.default_rng(1).integers(0, V, (2, 6, 3))


def mean_loss(weights, tokens, targets, activation):
    """The mean loss in nats, in operations autograd knows: written down once more, from the equations."""
    x = np.eye(weights["W_hq"].shape[1])[tokens]
    if "W_emb" in weights:
        x = anp.dot(x, weights["W_emb"])
    h = PHI[activation](anp.dot(x, weights["W_xh"]) + weights["b_h"])
    logits = anp.dot(h, weights["W_hq"]) + weights["b_q"]
    chosen = anp.sum(logits * np.eye(logits.shape[-1])[targets], axis=-1)
    return anp.mean(anp.log(anp.sum(anp.exp(logits), axis=-1)) - chosen)


@activations
@inputs
@pytest.mark.parametrize("V", [7, 40])
def test_gradients_agree_with_autograd_and_central_differences(activation, D, V):
    params, (tokens, targets) = mlp(V, D), batch(V)
    losses, ours = backward(params, tokens, targets, activation=activation)
    theirs = autograd.grad(lambda weights: mean_loss(weights, tokens, targets, activation))(params.named())
    for name, gradient in ours.named().items():
        assert relative(gradient, theirs[name]) < 1e-10, name
    assert losses.mean() == pytest.approx(mean_loss(params.named(), tokens, targets, activation), rel=1e-12)

    def own_loss(flat: np.ndarray) -> float:
        return float(backward(params.with_flat(flat), tokens, targets, activation=activation)[0].mean())

    assert worst_along_directions(own_loss, params.flat, ours.flat) < 1e-7


@activations
@inputs
def test_it_is_the_recurrent_network_without_recurrent_weights(activation, D):
    whole = network(7, 6, D)
    whole.W_hh[:] = 0
    tokens, targets = batch()
    recurrent = rnn.forward(whole, tokens, activation=activation)
    h, logits = forward(without_state(whole), tokens, activation=activation)
    np.testing.assert_allclose(logits, recurrent.logits, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(h, recurrent.h[1:], rtol=1e-12, atol=1e-15)
    theirs = rnn.backward(recurrent, targets)
    losses, ours = backward(without_state(whole), tokens, targets, activation=activation)
    np.testing.assert_allclose(losses, theirs.losses, rtol=1e-12)
    for name, gradient in ours.named().items():
        np.testing.assert_allclose(gradient, getattr(theirs.params, name), rtol=1e-10, atol=1e-15, err_msg=name)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e30])
def test_backward_changes_nothing_it_is_given_and_an_exploded_network_raises_nothing(value):
    params, (tokens, targets) = mlp(), batch()
    params.W_hq[:] = value
    before = params.flat.copy(), tokens.copy(), targets.copy()
    assert backward(params, tokens, targets)[0].shape == (6, 3)
    for now, then in zip((params.flat, tokens, targets), before, strict=True):
        np.testing.assert_array_equal(now, then)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda p, x: plain_forward(p, x + 7),
        lambda p, x: plain_forward(p, x - 7),
        lambda p, x: plain_forward(p, x.astype(float)),
        lambda p, x: plain_forward(p, x[:0]),
        lambda p, x: plain_forward(p, x, activation="softplus"),
        lambda p, x: plain_backward(p, x, x + 7),
        lambda p, x: plain_backward(p, x, x[:5]),
    ],
)
def test_tokens_targets_and_activations_that_do_not_fit_are_refused(wrong):
    with pytest.raises(ValueError, match=r"\w+ \w+ .*\."):
        wrong(mlp(), batch()[0])
