"""The languages do what they say, and their floors are the entropies of exactly those processes."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.languages import (
    echo_floor,
    echo_floor_with_reset,
    echo_language,
    lag_floor,
    lag_floor_with_reset,
    lag_language,
)
from core.text.streams import Purpose, generator


def bits(length, lag, noise=0.05, seed=0):
    return lag_language(length, lag, generator(seed, Purpose.DATA), noise)


@given(st.integers(0, 50), st.integers(1, 32))
def test_without_noise_every_bit_repeats_the_one_lag_back(length, lag):
    x = bits(length, lag, noise=0.0)
    assert x.shape == (length,)
    np.testing.assert_array_equal(x[lag:], x[:-lag])


def test_with_certain_noise_every_bit_is_the_opposite():
    x = bits(50, 3, noise=1.0)
    np.testing.assert_array_equal(x[3:], 1 - x[:-3])


@pytest.mark.parametrize("lag", [1, 4, 8])
def test_five_in_a_hundred_bits_differ_and_all_else_is_fair(lag):
    x = bits(200_000, lag)
    deviation = 4 * math.sqrt(0.05 * 0.95 / len(x))
    assert set(x.tolist()) == {0, 1}
    assert np.mean(x[lag:] != x[:-lag]) == pytest.approx(0.05, abs=deviation)
    for other in {1, 2, 3, 5} - {lag}:
        if other % lag:
            assert np.mean(x[other:] != x[:-other]) == pytest.approx(0.5, abs=0.03)


def test_the_first_bits_are_fair_coins():
    starts = np.array([bits(4, 4, seed=seed) for seed in range(400)])
    assert np.all(np.abs(starts.mean(axis=0) - 0.5) < 0.1)


def test_the_same_seed_gives_the_same_bits():
    np.testing.assert_array_equal(bits(100, 4, seed=7), bits(100, 4, seed=7))
    assert not np.array_equal(bits(100, 4, seed=7), bits(100, 4, seed=8))


def test_the_floor_is_the_known_number():
    assert lag_floor() == pytest.approx(1.2196, abs=5e-5)
    assert lag_floor(0.5) == pytest.approx(2.0)
    assert lag_floor(0.0) == 1.0


def test_the_true_conditional_probabilities_reach_the_floor():
    x = bits(200_000, 4)
    nats = -np.log(np.where(x[4:] == x[:-4], 0.95, 0.05))
    assert math.exp(nats.mean()) == pytest.approx(lag_floor(), rel=0.01)


def entropy_of_first(length, lag, noise):
    """Of the joint distribution of ``length`` bits, by listing all of them."""
    total = 0.0
    for x in itertools.product((0, 1), repeat=length):
        flips = [x[t] != x[t - lag] for t in range(lag, length)]
        p = 0.5 ** min(lag, length) * math.prod(noise if flip else 1 - noise for flip in flips)
        total -= p * math.log(p)
    return total


@pytest.mark.parametrize(("lag", "window"), [(1, 3), (2, 1), (2, 5), (3, 2), (3, 3), (4, 8), (6, 4)])
def test_the_floor_with_reset_is_the_entropy_given_the_bits_of_the_window(lag, window):
    # The first bit is given, the others are predicted: chain rule of entropy.
    nats = entropy_of_first(window + 1, lag, 0.05) - entropy_of_first(1, lag, 0.05)
    assert lag_floor_with_reset(lag, window) == pytest.approx(math.exp(nats / window), rel=1e-12)


def test_long_windows_approach_the_floor_with_memory():
    assert lag_floor_with_reset(4, 10**6) == pytest.approx(lag_floor(), rel=1e-5)
    assert lag_floor_with_reset(1, 1) == pytest.approx(lag_floor())


@given(st.integers(0, 50), st.integers(1, 32), st.integers(0, 3))
def test_the_echo_is_the_coin_read_k_steps_before(length, k, seed):
    inputs, targets = echo_language(length, k, generator(seed, Purpose.DATA))
    assert inputs.shape == targets.shape == (length,)
    np.testing.assert_array_equal(targets[k:], inputs[:-k])
    assert set(inputs.tolist()) <= {0, 1}


def test_echoed_coins_are_fair_and_say_nothing_of_what_comes_next():
    inputs, targets = echo_language(100_000, 4, generator(0, Purpose.DATA))
    assert inputs.mean() == pytest.approx(0.5, abs=0.01)
    for back in range(-3, 4):
        assert np.mean(targets[4:-4] == inputs[4 + back : len(inputs) - 4 + back]) == pytest.approx(0.5, abs=0.01)


def echo_nats_by_listing(k, window):
    """Mean entropy of the targets of a window given the inputs of the window so far, over all coins there are."""
    coins = np.array(list(itertools.product((0, 1), repeat=window + k)))
    inputs, targets = coins[:, k:], coins[:, :window]
    total = 0.0
    for t in range(window):
        for seen in np.unique(inputs[:, : t + 1], axis=0):
            p = targets[(inputs[:, : t + 1] == seen).all(axis=1), t].mean()
            total += 0.5 ** (t + 1) * -sum(q * math.log(q) for q in (p, 1 - p) if q > 0)
    return total / window


@pytest.mark.parametrize(("k", "window"), [(1, 1), (1, 4), (2, 2), (2, 5), (3, 4), (4, 2), (4, 6)])
def test_the_echo_floor_with_reset_is_the_entropy_given_the_inputs_of_the_window(k, window):
    assert echo_floor_with_reset(k, window) == pytest.approx(math.exp(echo_nats_by_listing(k, window)), rel=1e-12)


@given(st.integers(1, 32))
def test_the_echo_floor_is_two_up_to_k_and_falls_towards_the_floor_with_memory(k):
    assert echo_floor_with_reset(k, k) == 2
    assert 2 > echo_floor_with_reset(k, k + 1) > echo_floor_with_reset(k, k + 2) > echo_floor()
    assert echo_floor_with_reset(k, 10**6) == pytest.approx(echo_floor(), abs=1e-4)


@given(st.integers(1, 20), st.integers(1, 40))
def test_the_lag_language_needs_one_step_less_than_the_echo_task(k, window):
    assert lag_floor_with_reset(k + 1, window, noise=0.0) == pytest.approx(echo_floor_with_reset(k, window), rel=1e-12)
