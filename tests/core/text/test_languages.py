import itertools
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.text.languages import echo_floor, echo_floor_with_reset, echo_language, lag_floor, lag_floor_with_reset, lag_language
from core.text.randomness import Purpose, generator


def bits(length: int, lag: int, noise: float = 0.05, seed: int = 0) -> np.ndarray:
    return lag_language(length, lag, generator(seed, Purpose.DATA), noise)


@given(st.integers(0, 50), st.integers(1, 32), st.sampled_from([0, 1]))
def test_with_noise_0_every_bit_repeats_the_one_lag_back_and_with_1_none(length, lag, noise):
    x = bits(length, lag, float(noise))
    assert x.shape == (length,)
    np.testing.assert_array_equal(x[lag:], x[:-lag] ^ noise)


@pytest.mark.parametrize("lag", [1, 4, 8])
def test_5_of_100_bits_differ_at_the_lag_and_half_at_every_other(lag):
    x = bits(200_000, lag)
    deviation = 4 * math.sqrt(0.05 * 0.95 / len(x))
    assert set(x.tolist()) == {0, 1}
    assert np.mean(x[lag:] != x[:-lag]) == pytest.approx(0.05, abs=deviation)
    for other in {1, 2, 3, 5} - {lag}:
        if other % lag:
            assert np.mean(x[other:] != x[:-other]) == pytest.approx(0.5, abs=0.03)


def test_the_first_bits_are_fair_coins_of_the_seed():
    starts = np.array([bits(4, 4, seed=seed) for seed in range(400)])
    assert np.all(np.abs(starts.mean(axis=0) - 0.5) < 0.1)
    np.testing.assert_array_equal(bits(4, 4, seed=7), starts[7])


def test_the_floor_is_the_perplexity_of_the_true_probabilities():
    assert lag_floor() == pytest.approx(1.2196, abs=5e-5)
    assert lag_floor(0.5) == pytest.approx(2.0)
    assert lag_floor(0.0) == 1.0
    x = bits(200_000, 4)
    nats = -np.log(np.where(x[4:] == x[:-4], 0.95, 0.05))
    assert math.exp(nats.mean()) == pytest.approx(lag_floor(), rel=0.01)


def entropy_of_first(length: int, lag: int, noise: float) -> float:
    """The entropy of the joint distribution of ``length`` bits, by listing all of them."""
    total = 0.0
    for x in itertools.product((0, 1), repeat=length):
        flips = [x[t] != x[t - lag] for t in range(lag, length)]
        p = 0.5 ** min(lag, length) * math.prod(noise if flip else 1 - noise for flip in flips)
        total -= p * math.log(p)
    return total


@pytest.mark.parametrize(("lag", "window"), [(1, 3), (2, 1), (2, 5), (3, 2), (3, 3), (4, 8), (6, 4)])
def test_the_floor_with_reset_is_the_entropy_given_the_window(lag, window):
    # The first bit is given, the others are predicted: chain rule of entropy.
    nats = entropy_of_first(window + 1, lag, 0.05) - entropy_of_first(1, lag, 0.05)
    assert lag_floor_with_reset(lag, window) == pytest.approx(math.exp(nats / window), rel=1e-12)
    assert lag_floor_with_reset(lag, 10**6) == pytest.approx(lag_floor(), rel=1e-5)


@given(st.integers(0, 50), st.integers(1, 32), st.integers(0, 3))
def test_the_target_of_the_echo_task_is_the_input_k_steps_before(length, k, seed):
    inputs, targets = echo_language(length, k, generator(seed, Purpose.DATA))
    assert inputs.shape == targets.shape == (length,)
    np.testing.assert_array_equal(targets[k:], inputs[:-k])
    assert set(inputs.tolist()) <= {0, 1}


def echo_nats_by_listing(k: int, window: int) -> float:
    """Mean entropy of the targets of a window given its inputs so far, averaged over all sequences of bits."""
    coins = np.array(list(itertools.product((0, 1), repeat=window + k)))
    inputs, targets = coins[:, k:], coins[:, :window]
    total = 0.0
    for t in range(window):
        for seen in np.unique(inputs[:, : t + 1], axis=0):
            p = targets[(inputs[:, : t + 1] == seen).all(axis=1), t].mean()
            total += 0.5 ** (t + 1) * -sum(q * math.log(q) for q in (p, 1 - p) if q > 0)
    return total / window


@pytest.mark.parametrize(("k", "window"), [(1, 1), (1, 4), (2, 2), (2, 5), (3, 4), (4, 2), (4, 6)])
def test_the_echo_floor_with_reset_is_the_entropy_given_the_window(k, window):
    assert echo_floor_with_reset(k, window) == pytest.approx(math.exp(echo_nats_by_listing(k, window)), rel=1e-12)
    assert echo_floor_with_reset(k, 10**6) == pytest.approx(echo_floor(), abs=1e-4)


def test_equal_arguments_give_equal_streams_and_all_others_differ_for_ever():
    assert generator(3, Purpose.DATA).random() == generator(3, Purpose.DATA).random()
    firsts = {generator(seed, purpose).random() for seed in range(5) for purpose in Purpose}
    assert len(firsts) == 5 * len(Purpose)
    # Other numbers would change every run that existing links open.
    assert {p.name: p.value for p in Purpose} == {"INIT": 0, "DATA": 1, "OPTIMISER": 2, "DISPLAY": 3, "TARGETS": 4}
