import lzma
import math
import zlib

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.analysis.compression import LENGTH, compressor_sizes, gap_of_network, gap_on_lag, model_size, plain_sizes
from core.config.settings import Settings
from core.text.languages import lag_floor, lag_language
from tests.core.networks import network, stream

TEXT = "the cat sat on the mat. " * 40


def test_plain_sizes_are_bits_per_symbol_and_that_of_a_model_its_cross_entropy():
    stored, coded = plain_sizes(TEXT, len(TEXT), 8)
    assert stored.per_token == 8
    assert coded.per_token == pytest.approx(3)
    assert plain_sizes("é€", 2, 2)[0].bits == 8 * 5
    uniform = model_size("uniform", "counted", len(TEXT) * math.log(8), len(TEXT))
    assert uniform.per_token == pytest.approx(coded.per_token, rel=1e-12)


def test_compressed_sizes_are_those_of_the_programs():
    alone, packed, after = filter(None, compressor_sizes(TEXT, len(TEXT), TEXT))
    assert alone.bits == 8 * len(zlib.compress(TEXT.encode(), 9))
    assert packed.bits == 8 * len(lzma.compress(TEXT.encode(), format=lzma.FORMAT_ALONE, preset=6))
    assert after.bits < packed.bits
    assert len(list(filter(None, compressor_sizes(TEXT, len(TEXT), "")))) == 2
    assert list(compressor_sizes("ab" * 100_000, 200_000, "")).count(None) > 3  # None: a pause in which other threads may compute


LAG = 3
PARAMS = network(2, 5)


def text(length: int, N: int = 4, lag: int = LAG) -> tuple[np.ndarray, np.ndarray]:
    bits = np.stack([lag_language(length + 1, lag, np.random.default_rng(n)) for n in range(N)], axis=1)
    return bits[:-1], bits[1:]


def test_the_source_itself_has_no_divergence():
    inputs, targets = text(5000)
    p = np.full(targets.shape, 0.5)
    p[LAG - 1 :] = np.where(inputs[: 1 - LAG] == targets[LAG - 1 :], 0.95, 0.05)
    gap = gap_on_lag(-np.log(p), inputs, targets, LAG)
    assert gap.divergence == pytest.approx(0, abs=1e-12)
    assert gap.cross_entropy == pytest.approx(gap.entropy) == pytest.approx(math.log(lag_floor()))
    assert gap.measured == pytest.approx(gap.entropy, abs=0.02)


def test_the_divergence_of_fair_coins_and_of_certainty():
    inputs, targets = text(100)
    gap = gap_on_lag(np.full(targets.shape, math.log(2)), inputs, targets, LAG)
    assert gap.cross_entropy == gap.measured == pytest.approx(math.log(2))
    assert gap.divergence == pytest.approx(math.log(2) - math.log(lag_floor()))
    assert gap_on_lag(np.zeros(targets.shape), inputs, targets, LAG).divergence == math.inf
    with pytest.raises(ValueError):
        gap_on_lag(np.ones((5, 4)), inputs[:5], targets[:5], 6)


@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_cross_entropy_is_never_below_entropy(seed, lag):
    inputs, targets = text(40, 3, lag)
    losses = np.random.default_rng(seed).exponential(size=targets.shape) + 1e-9
    gap = gap_on_lag(losses, inputs, targets, lag)
    assert gap.divergence >= -1e-12
    assert gap.cross_entropy == pytest.approx(gap.entropy + gap.divergence)


def test_a_network_reads_windows_as_in_training():
    """With a carried state the length of the windows has no effect; with a reset, each window of one token starts at zero."""
    judged = stream(lag_language(4 * LENGTH + 1, LAG, np.random.default_rng(0)))
    how = Settings(corpus="lag", lag=LAG, num_steps=LENGTH)
    whole, cut, reset = (
        gap_of_network(PARAMS, judged, settings)
        for settings in (how, how.but(num_steps=7), how.but(num_steps=1, carry_state=False))
    )
    assert cut.divergence == pytest.approx(whole.divergence, rel=1e-9)
    assert reset.divergence != pytest.approx(whole.divergence, rel=1e-3)
    assert whole.divergence > 0
    assert gap_of_network(PARAMS, judged[:40], how).divergence > 0  # shorter than one row
