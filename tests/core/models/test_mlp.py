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


def mean_loss(weights, tokens, targets, activation, nudges=None):
    """The mean loss in nats, in operations autograd knows: written down once more, from the equations."""
    nudges = nudges or {"a": 0.0, "h": 0.0, "logits": 0.0}
    x = np.eye(weights["W_hq"].shape[1])[tokens]
    if "W_emb" in weights:
        x = anp.dot(x, weights["W_emb"])
    a = anp.dot(x, weights["W_xh"]) + weights["b_h"] + nudges["a"]
    h = PHI[activation](a) + nudges["h"]
    logits = anp.dot(h, weights["W_hq"]) + weights["b_q"] + nudges["logits"]
    chosen = anp.sum(logits * np.eye(logits.shape[-1])[targets], axis=-1)
    return anp.mean(anp.log(anp.sum(anp.exp(logits), axis=-1)) - chosen)


@activations
@inputs
@vocabularies
def test_gradients_agree_with_autograd(activation, D, V):
    params, (tokens, targets) = network(V, D=D), window(V)
    trace = forward(params, tokens, activation=activation)
    ours = backward(params, trace, targets)
    nudges = {"a": np.zeros(trace.h.shape), "h": np.zeros(trace.h.shape), "logits": np.zeros(trace.logits.shape)}
    weights, theirs = autograd.grad(lambda both: mean_loss(both[0], tokens, targets, activation, both[1]))(
        (params.named(), nudges)
    )
    for name, gradient in ours.params.named().items():
        assert relative(gradient, weights[name]) < 1e-10, name
    for name, gradient in theirs.items():
        assert relative(getattr(ours, name), gradient) < 1e-10, name


@activations
@inputs
def test_gradients_agree_with_central_differences(activation, D):
    params, (tokens, targets) = network(D=D), window()
    ours = backward(params, forward(params, tokens, activation=activation), targets)

    def independent(flat):
        return mean_loss(params.with_flat(flat).named(), tokens, targets, activation)

    def own(flat):
        moved = params.with_flat(flat)
        return float(backward(moved, forward(moved, tokens, activation=activation), targets).losses.mean())

    assert worst_along_directions(independent, params.flat, ours.params.flat) < 1e-7
    assert worst_along_directions(own, params.flat, ours.params.flat) < 1e-7


@activations
@inputs
def test_it_is_the_recurrent_network_without_its_recurrent_weights(activation, D):
    whole = init_params(7, 6, embedding_size=D, rng=np.random.default_rng(0), dtype=np.float64)
    whole.W_hh[:] = 0
    tokens, targets = window()
    recurrent = rnn.forward(whole, tokens, activation=activation)
    trace = forward(without_state(whole), tokens, activation=activation)
    np.testing.assert_allclose(trace.logits, recurrent.logits, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(trace.h, recurrent.h[1:], rtol=1e-12, atol=1e-15)
    theirs, ours = rnn.backward(whole, recurrent, targets), backward(without_state(whole), trace, targets)
    for name, gradient in ours.params.named().items():
        np.testing.assert_allclose(gradient, getattr(theirs.params, name), rtol=1e-10, atol=1e-15, err_msg=name)


def test_it_remembers_nothing():
    params, (tokens, _) = network(), window()
    shuffled = np.random.default_rng(2).permutation(tokens.reshape(-1)).reshape(tokens.shape)
    shuffled[-1] = tokens[-1]
    np.testing.assert_array_equal(forward(params, tokens).logits[-1], forward(params, shuffled).logits[-1])


@inputs
def test_parameters_are_views_of_one_vector(D):
    params = network(D=D)
    np.testing.assert_array_equal(params.flat, np.concatenate([x.ravel() for x in params.named().values()]))
    params.flat[:] = 7
    assert all((x == 7).all() for x in params.named().values())
    with pytest.raises(ValueError, match="numbers"):
        params.with_flat(np.zeros(3))


def test_backward_changes_neither_parameters_nor_trace():
    params, (tokens, targets) = network(), window()
    trace = forward(params, tokens)
    before = params.flat.copy(), trace.h.copy(), trace.logits.copy()
    backward(params, trace, targets)
    for now, then in zip((params.flat, trace.h, trace.logits), before, strict=True):
        np.testing.assert_array_equal(now, then)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e30])
def test_an_exploded_network_raises_nothing(value):
    params, (tokens, targets) = network(), window()
    params.W_hq[:] = value
    assert backward(params, forward(params, tokens), targets).h.shape == (6, 3, 6)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda p, x: plain_forward(p, x + 7),
        lambda p, x: plain_forward(p, x - 7),
        lambda p, x: plain_forward(p, x.astype(float)),
        lambda p, x: plain_forward(p, x[:0]),
        lambda p, x: plain_forward(p, x, activation="softplus"),
        lambda p, x: plain_backward(p, plain_forward(p, x), x + 7),
        lambda p, x: plain_backward(p, plain_forward(p, x), x[:5]),
    ],
)
def test_what_does_not_fit_is_refused_with_a_sentence(wrong):
    with pytest.raises(ValueError, match=r"\w+ \w+ .*\."):
        wrong(network(), window()[0])
