from itertools import permutations, product

import autograd
import autograd.numpy as anp
import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.models.loss import cross_entropy
from core.models.rnn import forward
from core.text.languages import NOISE, lag_language
from core.training.experiments.bit_tasks import (
    BITS_SHOWN,
    SILENCE,
    STRING_LENGTH,
    TASKS,
    echo,
    held_state,
    lag,
    last_states,
    loss_and_gradient,
    most_needed,
    network,
    perplexity,
    shown_bits,
    task_named,
)
from tests.core.gradients import worst_along_directions


def some_network(units: int, seed: int = 0):
    return network(np.random.default_rng(seed).normal(size=8 if units == 1 else 16))


@pytest.mark.parametrize("name", TASKS)
def test_every_string_counts_as_often_as_it_comes(name):
    task = task_named(name)
    assert task.weights.sum() == pytest.approx(1)
    assert len(np.unique(np.vstack([task.inputs, task.targets]), axis=1).T) == task.inputs.shape[1]  # each of them once
    many = 2 ** (STRING_LENGTH + name.startswith("lag"))
    assert task.inputs.shape == ((SILENCE, SILENCE + 1) if name == "hold" else (STRING_LENGTH, many))


@pytest.mark.parametrize("name", TASKS)
def test_who_knows_the_answer_has_the_best_possible_perplexity(name):
    task = task_named(name)
    sure = 1 - NOISE if name.startswith("lag") else 1.0
    p = np.where(task.targets == task.answers, sure, 1 - sure)
    with np.errstate(divide="ignore"):
        losses = np.where(task.weights > 0, -np.log(p), 0.0)
    assert np.exp((task.weights * losses).sum()) == pytest.approx(task.best)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_mean_over_all_strings_is_that_of_strings_that_are_drawn(k):
    params, rows = some_network(2), 4000
    bits = np.stack([lag_language(STRING_LENGTH + 1, k, np.random.default_rng(seed)) for seed in range(rows)], axis=1)
    losses = cross_entropy(forward(params, bits[:-1]).logits, bits[1:])[k - 1 :].mean(axis=0)
    error = losses.std() / np.sqrt(rows)
    assert abs(losses.mean() - np.log(perplexity(params, lag(k)))) < 4 * error


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize("units", [1, 2])
def test_the_derivative_is_that_of_finite_differences_and_of_another_engine(name, units):
    params, task = some_network(units, 3), task_named(name)
    loss, gradient = loss_and_gradient(params, task)
    assert np.exp(loss) == pytest.approx(perplexity(params, task))
    assert worst_along_directions(lambda x: loss_and_gradient(params.with_flat(x), task)[0], params.flat.copy(), gradient) < 1e-7

    def by_hand(named):
        h, total = anp.zeros((task.inputs.shape[1], units)), 0.0
        for bits, targets, weights in zip(task.inputs, task.targets, task.weights, strict=True):
            h = anp.tanh(anp.dot(np.eye(2)[bits], named["W_xh"]) + anp.dot(h, named["W_hh"]) + named["b_h"])
            logits = anp.dot(h, named["W_hq"]) + named["b_q"]
            right = anp.where(targets == 1, logits[:, 1] - logits[:, 0], logits[:, 0] - logits[:, 1])
            total = total + anp.sum(weights * anp.log(1 + anp.exp(-right)))
        return total

    found = autograd.grad(by_hand)(params.named())
    for part, values in params.with_flat(gradient).named().items():
        assert found[part] == pytest.approx(values, rel=1e-9, abs=1e-12)


def test_a_network_has_8_or_16_numbers():
    assert [network(np.zeros(many)).hidden_size for many in (8, 16)] == [1, 2]
    with pytest.raises(ValueError, match="16"):
        network(np.zeros(9))


def test_no_order_on_a_line_tells_both_of_two_bits():
    """Why one unit cannot: each of the bits alone can be told by a threshold, both from one number cannot."""

    def told(order, bit):
        values = [string[bit] for string in order]
        return values in ([0, 0, 1, 1], [1, 1, 0, 0])

    orders = list(permutations(product((0, 1), repeat=2)))
    assert [sum(told(order, bit) for order in orders) for bit in (0, 1)] == [8, 8]
    assert not any(told(order, 0) and told(order, 1) for order in orders)


@pytest.mark.parametrize("name", ["echo-1", "echo-2", "echo-3", "lag-2", "lag-3"])
@given(st.integers(0, 10**6))
def test_one_unit_is_wrong_about_some_string_whatever_its_weights(name, seed):
    rng = np.random.default_rng(seed)
    params, task = network(rng.normal(size=8) * rng.choice([0.5, 2, 8])), task_named(name)
    logits = forward(params, task.inputs).logits
    wrong = (logits[..., 1] > logits[..., 0]) != task.answers
    assert wrong[task.weights > 0].any()


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize("draw", [0, 1, 40])
def test_the_bits_that_are_shown_have_the_answers_of_the_task(name, draw):
    bits, answers = shown_bits(name, draw)
    assert len(bits) == len(answers) == BITS_SHOWN
    if name == "hold":
        assert (bits.sum(), answers) == (1, np.cumsum(bits).tolist())
        return
    back = int(name[-1]) - name.startswith("lag")
    assert answers == [None] * back + bits[: BITS_SHOWN - back].tolist()
    assert shown_bits(name, draw + 1)[0].tolist() != bits.tolist()


def test_the_last_states_are_those_of_all_strings_each_once():
    params, task = some_network(1), echo(1)
    states, answers = last_states(params, task)
    assert len(np.unique(states, axis=0)) <= len(states) == len(answers)
    constant, of_both = last_states(network(np.zeros(16)), task)
    assert constant.tolist() == [[0, 0], [0, 0]]
    assert of_both.tolist() == [0, 1]


def test_the_weight_that_is_needed_most_is_the_one_whose_loss_costs_most():
    params, task = some_network(2, 5), echo(1)
    costs = []
    for i in range(16):
        numbers = params.flat.copy()
        numbers[i] = 0
        costs.append(perplexity(network(numbers), task))
    assert most_needed(params, task) == int(np.argmax(costs))


@pytest.mark.parametrize("weight", [1.05, 1.2, 2.0, 10.0])
def test_a_state_is_held_from_a_weight_of_1_on(weight):
    h = held_state(weight)
    assert h > 0
    assert np.tanh(weight * h) == pytest.approx(h)
    assert held_state(1 / weight) == 0
