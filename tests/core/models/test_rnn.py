import inspect

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from core.models.fast import Workspace, sum_by_token
from core.models.layers import ACTIVATIONS
from core.models.rnn import Params, backward, forward, step
from tests.core.gradients import autograd_gradients, our_gradients, problem, relative, worst_along_directions
from tests.core.networks import network

plain_forward, plain_backward = inspect.unwrap(forward), inspect.unwrap(backward)  # without the shape checks of the tests

activations = pytest.mark.parametrize("activation", ACTIVATIONS)
inputs = pytest.mark.parametrize("D", [0, 5], ids=["one-hot", "embedding"])
vocabularies = pytest.mark.parametrize("V", [7, 40])
states = pytest.mark.parametrize("carried", [False, True], ids=["zero", "carried"])
truncations = pytest.mark.parametrize("truncation", [None, 1, 2, 4], ids=lambda tau: f"tau={tau}")


@activations
@inputs
@vocabularies
@states
@truncations
def test_gradients_agree_with_autograd(activation, D, V, carried, truncation):
    p = problem(activation, V=V, D=D, carried=carried)
    theirs = autograd_gradients(p, truncation)
    for name, ours in our_gradients(p, truncation).items():
        assert relative(ours, theirs[name]) < 1e-10, name


@activations
@inputs
@states
def test_gradients_agree_with_central_differences_of_the_own_loss(activation, D, carried):
    p = problem(activation, D=D, carried=carried)
    h0 = np.zeros_like(p.trace.h[0]) if p.h0 is None else p.h0

    def loss(params, h0):
        return float(backward(forward(params, p.tokens, h0, activation=activation), p.targets).losses.mean())

    ours = p.gradients()
    assert worst_along_directions(lambda flat: loss(p.params.with_flat(flat), h0), p.params.flat, ours.dparams.flat) < 1e-7
    assert worst_along_directions(lambda h0: loss(p.params, h0), h0, our_gradients(p)["h0"]) < 1e-7


@inputs
@truncations
def test_gradients_of_weighted_losses_agree_with_autograd(D, truncation):
    p = problem(D=D)
    weights = np.random.default_rng(3).random(p.targets.shape) * (np.arange(1, len(p.tokens) + 1) % 2)[:, None]  # some are zero
    theirs = autograd_gradients(p, truncation, weights)
    for name, ours in our_gradients(p, truncation, weights).items():
        assert relative(ours, theirs[name]) < 1e-10, name


def test_gradients_of_single_losses_sum_to_those_of_the_mean():
    p = problem()
    one_loss = np.eye(p.targets.size).reshape(-1, *p.targets.shape) / p.targets.size
    total = sum(backward(p.trace, p.targets, weights=weights).dparams.flat for weights in one_loss)
    np.testing.assert_allclose(total, p.gradients().dparams.flat, rtol=1e-11, atol=1e-15)


@pytest.mark.parametrize(
    ("V", "H", "N"),
    [(9, 136, 64), (300, 64, 40), (11, 64, 256), (900, 96, 16)],
    ids=["many units", "more symbols than tokens", "many tokens", "many symbols"],
)
@inputs
def test_gradients_of_large_shapes_agree_with_autograd(V, H, N, D):
    p = problem(V=V, H=H, N=N, D=D, T=4)
    theirs = autograd_gradients(p)
    for name, ours in our_gradients(p).items():
        assert relative(ours, theirs[name]) < 1e-10, name


@activations
@inputs
def test_a_step_is_one_step_of_forward(activation, D):
    p = problem(activation, D=D)
    trace, h = p.trace, p.h0
    for t, tokens in enumerate(p.tokens):
        h, logits = step(p.params, tokens, h, activation=activation)
        np.testing.assert_allclose(h, trace.h[t + 1], rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(logits, trace.logits[t], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("truncation", [6, 7, 1000])
def test_truncation_at_least_num_steps_equals_full_bptt(truncation):
    p = problem(T=6)
    for a, b in zip(our_gradients(p).values(), our_gradients(p, truncation).values(), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(("V", "H", "N", "T"), [(7, 6, 3, 6), (30, 256, 32, 5), (500, 33, 7, 4), (64, 128, 32, 8)])
@inputs
def test_a_workspace_that_was_used_before_gives_the_same_numbers(V, H, N, T, D):
    rng, params = np.random.default_rng(1), network(V, H, D, dtype=np.float32)
    tokens, targets, other = rng.integers(0, V, (3, T, N))
    h0 = rng.standard_normal((N, H)).astype(np.float32)
    fresh, workspace = forward(params, tokens, h0), Workspace()
    one = backward(fresh, targets)
    longer = np.concatenate([other, other])
    backward(forward(params, longer, workspace=workspace), longer, truncation=2, workspace=workspace)
    arrays = forward(params, other, workspace=workspace)
    used = forward(params, tokens, h0, workspace=workspace)
    two = backward(used, targets, workspace=workspace)
    assert np.shares_memory(used.h, arrays.h)
    for name in ("tokens", "h", "logits", "slope"):
        np.testing.assert_array_equal(getattr(fresh, name), getattr(used, name))
    np.testing.assert_array_equal(one.dparams.flat, two.dparams.flat)
    for name in ("losses", "dlogits", "dh", "da"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))


def test_forward_and_backward_do_not_modify_their_arguments():
    p = problem(T=6)
    given = [p.trace.h, p.trace.logits, p.trace.tokens, p.params.flat]
    before = [array.copy() for array in given]
    g = backward(p.trace, p.targets)
    given.append(g.dparams.flat)
    before.append(g.dparams.flat.copy())
    forward(p.params, p.tokens, p.trace.h[-1])
    backward(p.trace, p.targets, truncation=2)
    for now, then in zip(given, before, strict=True):
        np.testing.assert_array_equal(now, then)


def test_a_state_carried_in_is_copied_and_cast_and_continues_the_window_before():
    p = problem(T=6)
    h0 = np.ones((3, 6), np.float32)
    trace = forward(p.params, p.tokens, h0)
    h0[:] = 7
    assert trace.h.dtype == np.float64
    assert (trace.h[0] == 1).all()
    first = forward(p.params, p.tokens[:4], p.h0)
    second = forward(p.params, p.tokens[4:], first.h[-1])
    np.testing.assert_allclose(np.concatenate((first.logits, second.logits)), p.trace.logits, rtol=1e-13)


@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.uint64, np.int64, ">i2"])
def test_tokens_of_any_integer_dtype_and_byte_order(dtype):
    p = problem()
    trace = forward(p.params, p.tokens.astype(dtype), p.h0)
    np.testing.assert_array_equal(trace.logits, p.trace.logits)
    g = backward(trace, p.targets.astype(dtype))
    np.testing.assert_array_equal(g.dparams.flat, p.gradients().dparams.flat)


@activations
@pytest.mark.parametrize("value", [np.nan, np.inf, 1e30])
def test_an_exploded_network_raises_nothing(activation, value):
    p = problem(activation)
    params = p.params.copy(np.float32)
    params.W_hh[:] = value
    trace = forward(params, p.tokens, p.h0, activation=activation)
    g = backward(trace, p.targets)
    assert trace.slope.shape == g.dh.shape == g.da.shape


def test_the_derivative_of_relu_at_zero_is_zero():
    params = Params.zeros(5, 4, dtype=np.float64)
    params.W_hq[:] = np.random.default_rng(0).standard_normal((4, 5))
    g = backward(forward(params, np.zeros((3, 2), int), activation="relu"), np.zeros((3, 2), int))
    assert g.dh.any()
    assert not g.da.any()


@pytest.mark.parametrize("wrong", [
    *(lambda p, x=x: plain_forward(p.params, x) for x in (np.full((6, 3), 7), np.full((6, 3), -1), np.full((1, 1), 256, ">i2"))),
    *(lambda p, x=x: plain_forward(p.params, x) for x in (np.zeros(3, int), np.zeros((6, 3)), np.zeros((0, 3), int))),
    lambda p: plain_forward(p.params, p.tokens, activation="softplus"),
    lambda p: plain_forward(p.params, p.tokens, np.zeros((1, 6))),
    lambda p: plain_backward(p.trace, p.targets[:5]),
    lambda p: plain_backward(p.trace, p.targets + 7),
    lambda p: plain_backward(p.trace, p.targets, truncation=0),
    lambda p: plain_backward(p.trace, p.targets, weights=np.ones(3)),
])  # fmt: skip
def test_tokens_targets_states_and_truncations_that_do_not_fit_are_refused(wrong):
    with pytest.raises(ValueError, match=r"\w+ \w+ .*\."):
        wrong(problem())
    with pytest.raises(TypeError):
        plain_backward(problem().trace, problem().targets, truncation=1.5)


@given(st.integers(1, 400), st.integers(1, 300), st.sampled_from([1, 3, 64]), st.integers(0, 9))
@example(40_000, 50, 32, 0)
@example(16, 4096, 32, 0)
def test_sums_by_token_are_those_of_add_at(V, M, W, seed):
    rng = np.random.default_rng(seed)
    tokens, rows = rng.integers(0, rng.integers(1, V + 1), M), rng.standard_normal((M, W))
    expected, out = np.zeros((V, W)), np.full((V, W), np.nan)
    np.add.at(expected, tokens, rows)
    sum_by_token(tokens, rows, out)
    np.testing.assert_allclose(out, expected, rtol=1e-11, atol=1e-12)
