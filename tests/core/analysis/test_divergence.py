"""The gap between cross-entropy and entropy is the divergence: zero for the source itself, positive for all others."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.divergence import LENGTH, gap_of_network, gap_on_lag
from core.models.initialisation import init_params
from core.settings import Settings
from core.text.corpus import Stream
from core.text.languages import lag_floor, lag_language

LAG = 3


def text(length, N=4, lag=LAG):
    bits = np.stack([lag_language(length + 1, lag, np.random.default_rng(n)) for n in range(N)], axis=1)
    return bits[:-1], bits[1:]


def losses_of(inputs, targets, noise, lag=LAG):
    """Those of a model that takes each bit to repeat the one ``lag`` back, wrong with probability ``noise``."""
    back = np.concatenate([targets[:lag] * 0, inputs])[: len(inputs) + lag][1 : len(inputs) + 1]
    return np.where(back == targets, -math.log(1 - noise), -math.log(noise))


def test_the_source_itself_has_no_gap():
    inputs, targets = text(5000)
    gap = gap_on_lag(losses_of(inputs, targets, 0.05), inputs, targets, LAG)
    assert gap.divergence == pytest.approx(0, abs=1e-12)
    assert gap.cross_entropy == pytest.approx(gap.entropy) == pytest.approx(math.log(lag_floor()))
    assert gap.measured == pytest.approx(gap.entropy, abs=0.02)


def test_fair_coins_are_a_bit_minus_the_entropy_away():
    inputs, targets = text(100)
    gap = gap_on_lag(np.full(targets.shape, math.log(2)), inputs, targets, LAG)
    assert gap.cross_entropy == gap.measured == pytest.approx(math.log(2))
    assert gap.divergence == pytest.approx(math.log(2) - math.log(lag_floor()))


@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_cross_entropy_is_never_below_entropy(seed, lag):
    inputs, targets = text(40, 3, lag)
    losses = np.random.default_rng(seed).exponential(size=targets.shape) + 1e-9
    gap = gap_on_lag(losses, inputs, targets, lag)
    assert gap.divergence >= -1e-12
    assert gap.cross_entropy == pytest.approx(gap.entropy + gap.divergence)


def test_certainty_that_can_be_wrong_is_infinitely_far():
    inputs, targets = text(50)
    assert gap_on_lag(np.zeros(targets.shape), inputs, targets, LAG).divergence == math.inf


def test_a_text_shorter_than_the_lag_says_nothing():
    inputs, targets = text(5)
    with pytest.raises(ValueError):
        gap_on_lag(np.ones(targets.shape), inputs, targets, 6)


def test_a_network_is_read_in_windows_as_it_is_trained():
    """With the state carried the length of the windows makes no difference; reset, each window of one begins anew."""
    bits = lag_language(4 * LENGTH + 1, LAG, np.random.default_rng(0))
    stream = Stream(bits[:-1], bits[1:])
    params = init_params(2, 5, rng=np.random.default_rng(1), dtype=np.float64)
    how = Settings(corpus="lag", lag=LAG, num_steps=LENGTH)
    whole, cut, reset = (
        gap_of_network(params, stream, settings)
        for settings in (how, how.but(num_steps=7), how.but(num_steps=1, carry_state=False))
    )
    assert cut.divergence == pytest.approx(whole.divergence, rel=1e-9)
    assert reset.divergence != pytest.approx(whole.divergence, rel=1e-3)
    assert whole.divergence > 0


def test_a_text_shorter_than_a_row_is_one_row():
    bits = lag_language(40, LAG, np.random.default_rng(0))
    params = init_params(2, 5, rng=np.random.default_rng(1), dtype=np.float64)
    assert gap_of_network(params, Stream(bits[:-1], bits[1:]), Settings(corpus="lag", lag=LAG)).divergence > 0
