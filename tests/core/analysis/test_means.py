import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.means import averages, lines, means_of_choices, one_hot_terms
from core.models.loss import cross_entropy, perplexity


@given(st.lists(st.floats(1e-6, 1.0), min_size=1, max_size=8).map(np.array))
def test_means_are_ordered_and_within_the_range(p):
    means = means_of_choices(p)
    inside = [1 / p.max(), means.harmonic, means.geometric, means.arithmetic, 1 / p.min()]
    assert all(low <= high * (1 + 1e-12) for low, high in pairwise(inside))
    assert means.geometric == pytest.approx(math.prod(1 / p) ** (1 / len(p)))


def test_means_of_single_examples():
    means = means_of_choices(np.array([0.8, 0.2]))
    assert (means.harmonic, means.geometric, means.arithmetic) == pytest.approx((2.0, 2.5, 3.125))
    assert means.choices == pytest.approx((1.25, 5.0))
    worst = means_of_choices(np.array([0.9, 0.0]))
    assert worst.geometric == worst.arithmetic == math.inf
    assert worst.harmonic == pytest.approx(1 / 0.45)
    assert means_of_choices(np.zeros(1)).harmonic == math.inf


def test_the_one_hot_double_sum_is_the_cross_entropy():
    logits = np.random.default_rng(0).normal(size=(4, 1, 6))
    y = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    targets = np.array([[0], [3], [5], [3]])
    terms = np.stack([one_hot_terms(row, int(target)) for row, target in zip(y[:, 0], targets[:, 0], strict=True)])
    assert (terms != 0).sum(axis=1).tolist() == [1, 1, 1, 1]
    assert -terms.sum() / 4 == pytest.approx(cross_entropy(logits, targets).mean())


@given(st.lists(st.lists(st.floats(0.0, 20.0), min_size=1, max_size=6), min_size=1, max_size=6))
def test_averages_of_batches_and_the_perplexity(batches):
    losses, sizes = np.concatenate([np.array(batch) for batch in batches]), [len(batch) for batch in batches]
    three = averages(losses, sizes)
    assert three.perplexity == perplexity(losses)
    assert three.mean_of_exps >= three.perplexity * (1 - 1e-12)
    assert three.over_batches == pytest.approx(math.exp(np.mean([np.mean(batch) for batch in batches])))


def test_values_that_are_no_probability_and_batch_sizes_that_do_not_fit_are_refused():
    for p in ([], [1.1], [-0.1], [math.nan]):
        with pytest.raises(ValueError):
            means_of_choices(np.array(p, float))
    for sizes in ([], [3], [2, 0, 2], [2, 3]):
        with pytest.raises(ValueError):
            averages(np.ones(4), sizes)


@given(st.lists(st.integers(0, 2), min_size=1, max_size=40), st.integers(1, 12))
def test_lines_cover_the_text(tokens, otherwise):
    ids = np.array(tokens)
    for end in (0, None):
        sizes = lines(ids, end, otherwise)
        assert sizes.sum() == len(ids)
        assert sizes.min() >= 1
    borders = np.cumsum(lines(ids, 0, otherwise))[:-1]
    assert (ids[borders - 1] == 0).all()
