"""The network without a state: its gradients, proved as the recurrent network's are, and that it remembers nothing."""

import inspect

import autograd
import autograd.numpy as anp
import numpy as np
import pytest

from core.models import rnn
from core.models.activations import ACTIVATIONS
from core.models.initialisation import init_params
from core.models.mlp import Mlp, backward, forward, without_state
from tests.core.gradients import PHI, relative, worst_along_directions

plain_forward, plain_backward = inspect.unwrap(forward), inspect.unwrap(backward)  # without the tests' check of shapes
activations = pytest.mark.parametrize("activation", ACTIVATIONS)
inputs = pytest.mark.parametrize("D", [0, 5], ids=["one-hot", "embedding"])
vocabularies = pytest.mark.parametrize("V", [7, 40])


def network(V=7, H=6, D=0, seed=0) -> Mlp:
    rng = np.random.default_rng(seed)
    params = without_state(init_params(V, H, embedding_size=D, rng=rng, dtype=np.float64))
    params.flat[:] += 0.2 * rng.standard_normal(params.flat.size)  # biases too
    return params


def window(V=7, T=6, N=3, seed=1):
    return np.random.default_rng(seed).integers(0, V, (2, T, N))


def mean_loss(weights, tokens, targets, activation):
    """The mean loss in nats, in operations autograd knows: written down once more, from the equations."""
    x = np.eye(weights["W_hq"].shape[1])[tokens]
    if "W_emb" in weights:
        x = anp.dot(x, weights["W_emb"])
    a = anp.dot(x, weights["W_xh"]) + weights["b_h"]
    h = PHI[activation](a)
    logits = anp.dot(h, weights["W_hq"]) + weights["b_q"]
    chosen = anp.sum(logits * np.eye(logits.shape[-1])[targets], axis=-1)
    return anp.mean(anp.log(anp.sum(anp.exp(logits), axis=-1)) - chosen)


@activations
@inputs
@vocabularies
def test_gradients_agree_with_autograd(activation, D, V):
    params, (tokens, targets) = network(V, D=D), window(V)
    losses, ours = backward(params, tokens, targets, activation=activation)
    weights = autograd.grad(lambda weights: mean_loss(weights, tokens, targets, activation))(params.named())
    for name, gradient in ours.named().items():
        assert relative(gradient, weights[name]) < 1e-10, name
    assert losses.mean() == pytest.approx(mean_loss(params.named(), tokens, targets, activation), rel=1e-12)


@activations
@inputs
def test_gradients_agree_with_central_differences(activation, D):
    params, (tokens, targets) = network(D=D), window()
    _, ours = backward(params, tokens, targets, activation=activation)

    def independent(flat):
        return mean_loss(params.with_flat(flat).named(), tokens, targets, activation)

    def own(flat):
        moved = params.with_flat(flat)
        return float(backward(moved, tokens, targets, activation=activation)[0].mean())

    assert worst_along_directions(independent, params.flat, ours.flat) < 1e-7
    assert worst_along_directions(own, params.flat, ours.flat) < 1e-7


@activations
@inputs
def test_it_is_the_recurrent_network_without_its_recurrent_weights(activation, D):
    whole = init_params(7, 6, embedding_size=D, rng=np.random.default_rng(0), dtype=np.float64)
    whole.W_hh[:] = 0
    tokens, targets = window()
    recurrent = rnn.forward(whole, tokens, activation=activation)
    h, logits = forward(without_state(whole), tokens, activation=activation)
    np.testing.assert_allclose(logits, recurrent.logits, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(h, recurrent.h[1:], rtol=1e-12, atol=1e-15)
    theirs = rnn.backward(recurrent, targets)
    losses, ours = backward(without_state(whole), tokens, targets, activation=activation)
    np.testing.assert_allclose(losses, theirs.losses, rtol=1e-12)
    for name, gradient in ours.named().items():
        np.testing.assert_allclose(gradient, getattr(theirs.params, name), rtol=1e-10, atol=1e-15, err_msg=name)


def test_it_remembers_nothing():
    params, (tokens, _) = network(), window()
    shuffled = np.random.default_rng(2).permutation(tokens.reshape(-1)).reshape(tokens.shape)
    shuffled[-1] = tokens[-1]
    np.testing.assert_array_equal(forward(params, tokens)[1][-1], forward(params, shuffled)[1][-1])


@inputs
def test_parameters_are_views_of_one_vector(D):
    params = network(D=D)
    np.testing.assert_array_equal(params.flat, np.concatenate([x.ravel() for x in params.named().values()]))
    params.flat[:] = 7
    assert all((x == 7).all() for x in params.named().values())
    with pytest.raises(ValueError, match="numbers"):
        params.with_flat(np.zeros(3))


def test_backward_changes_nothing_it_was_given():
    params, (tokens, targets) = network(), window()
    before = params.flat.copy(), tokens.copy(), targets.copy()
    backward(params, tokens, targets)
    for now, then in zip((params.flat, tokens, targets), before, strict=True):
        np.testing.assert_array_equal(now, then)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e30])
def test_an_exploded_network_raises_nothing(value):
    params, (tokens, targets) = network(), window()
    params.W_hq[:] = value
    assert backward(params, tokens, targets)[0].shape == (6, 3)


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
def test_what_does_not_fit_is_refused_with_a_sentence(wrong):
    with pytest.raises(ValueError, match=r"\w+ \w+ .*\."):
        wrong(network(), window()[0])
