import inspect
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.loss import cross_entropy, perplexity, perplexity_of, softmax


def logits_and_targets(T=5, N=4, V=9, scale=1.0, dtype=np.float64):
    rng = np.random.default_rng(0)
    return (scale * rng.standard_normal((T, N, V))).astype(dtype), rng.integers(0, V, (T, N))


def plainly(logits, targets):
    p = np.exp(logits - logits.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    return -np.log(np.take_along_axis(p, targets[..., None], -1)[..., 0])


@pytest.mark.parametrize("scale", [1.0, 50.0, 100.0], ids=["no shift", "some", "shift"])
def test_cross_entropy_is_minus_log_softmax(scale):
    logits, targets = logits_and_targets(scale=scale)
    np.testing.assert_allclose(cross_entropy(logits, targets), plainly(logits, targets), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_large_logits_do_not_overflow(dtype):
    logits, targets = logits_and_targets(dtype=dtype)
    logits[0, 0] = 0
    logits[0, 0, 3] = 1e30
    targets[0, 0], targets[0, 1] = 3, 3
    losses = cross_entropy(logits, targets)
    assert losses[0, 0] == 0
    assert np.isfinite(losses).all()


def test_non_finite_logits_give_a_non_finite_loss_and_no_warning():
    logits, targets = logits_and_targets()
    logits[1, 1] = np.nan
    logits[2, 2] = np.inf
    losses = cross_entropy(logits, targets)
    assert not np.isfinite(losses[[1, 2], [1, 2]]).any()
    assert np.isfinite(losses).sum() == losses.size - 2


@given(st.integers(2, 20_000))
def test_equal_scores_are_a_choice_among_all(V):
    losses = cross_entropy(np.full((3, 2, V), 5.0), np.zeros((3, 2), int))
    assert perplexity(losses) == pytest.approx(V, rel=1e-12)


@given(st.lists(st.integers(1, 40), min_size=1, max_size=6))
def test_perplexity_of_unequal_windows_is_that_of_all_tokens(lengths):
    rng = np.random.default_rng(0)
    windows = [rng.exponential(2.0, (length, 3)) for length in lengths]
    total, tokens = sum(w.sum() for w in windows), sum(w.size for w in windows)
    together = np.concatenate([w.ravel() for w in windows])
    assert perplexity(together) == pytest.approx(math.exp(total / tokens), rel=1e-12)


def test_perplexity_sums_in_float64():
    assert perplexity(np.full(5_000_000, 1.1, np.float32)) == pytest.approx(math.exp(np.float32(1.1)), rel=1e-9)


def test_perplexity_at_its_ends():
    assert perplexity(np.zeros((2, 3))) == 1
    assert perplexity_of(1e6) == math.inf
    assert math.isnan(perplexity_of(math.nan))
    with pytest.raises(ValueError):
        perplexity(np.zeros(0))


def test_targets_of_another_shape_are_refused():
    logits, targets = logits_and_targets()
    with pytest.raises(ValueError):
        inspect.unwrap(cross_entropy)(logits, targets[:-1])


def test_softmax_rows_sum_to_one():
    logits, _ = logits_and_targets(scale=300.0)
    p = softmax(logits)
    assert (p >= 0).all()
    np.testing.assert_allclose(p.sum(-1), 1, rtol=1e-14)


@pytest.mark.parametrize("target", [-1, 5])
def test_a_target_outside_the_vocabulary_is_refused(target):
    with pytest.raises(ValueError):
        cross_entropy(np.zeros((1, 1, 5)), np.array([[target]]))
