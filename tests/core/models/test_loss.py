import inspect
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.models.loss import cross_entropy, perplexity, perplexity_of, softmax


def logits_and_targets(scale: float = 1.0, dtype: type = np.float64) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return (scale * rng.standard_normal((5, 4, 9))).astype(dtype), rng.integers(0, 9, (5, 4))


@pytest.mark.parametrize("scale", [1.0, 50.0, 100.0], ids=["no shift", "some", "shift"])
def test_cross_entropy_is_minus_log_softmax(scale):
    logits, targets = logits_and_targets(scale)
    p = np.exp(logits - logits.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    expected = -np.log(np.take_along_axis(p, targets[..., None], -1)[..., 0])
    np.testing.assert_allclose(cross_entropy(logits, targets), expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(softmax(logits), p, rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_large_and_non_finite_logits_raise_nothing(dtype):
    logits, targets = logits_and_targets(dtype=dtype)
    logits[0, 0] = 0
    logits[0, 0, 3] = 1e30
    logits[1, 1] = np.nan
    logits[2, 2] = np.inf
    targets[0, 0] = 3
    losses = cross_entropy(logits, targets)
    assert losses[0, 0] == 0
    assert np.argwhere(~np.isfinite(losses)).tolist() == [[1, 1], [2, 2]]


@given(st.integers(2, 20_000))
def test_equal_logits_have_the_size_of_the_vocabulary_as_perplexity(V):
    losses = cross_entropy(np.full((3, 2, V), 5.0), np.zeros((3, 2), int))
    assert perplexity(losses) == pytest.approx(V, rel=1e-12)


def test_perplexity_sums_in_float64_and_has_its_extremes():
    assert perplexity(np.full(5_000_000, 1.1, np.float32)) == pytest.approx(math.exp(np.float32(1.1)), rel=1e-9)
    assert perplexity(np.zeros((2, 3))) == 1
    assert perplexity_of(1e6) == math.inf
    assert math.isnan(perplexity_of(math.nan))
    with pytest.raises(ValueError):
        perplexity(np.zeros(0))


@pytest.mark.parametrize("targets", [np.array([[-1]]), np.array([[5]]), np.zeros((2, 1), int)])
def test_targets_outside_the_vocabulary_or_of_another_shape_are_refused(targets):
    with pytest.raises(ValueError):
        inspect.unwrap(cross_entropy)(np.zeros((1, 1, 5)), targets)
