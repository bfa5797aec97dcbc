"""Curves stay small and truthful; thinning keeps the ends."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.loss import perplexity_of
from core.training.history import BINS_PER_E_FOLD, Curve, Point, thin


def _fed(losses):
    curve = Curve()
    for i, nats in enumerate(losses, 1):
        curve.add(Point(i, 10 * i, 0.1 * i, nats))
    return curve


def test_early_updates_are_all_kept():
    curve = _fed([float(i) for i in range(BINS_PER_E_FOLD)])
    assert [point.nats for point in curve.points] == [float(i) for i in range(BINS_PER_E_FOLD)]


def test_a_long_run_stays_small():
    curve = _fed(np.ones(20_000))
    assert len(curve.points) <= BINS_PER_E_FOLD * (1.1 + math.log(20_000 / BINS_PER_E_FOLD)) + BINS_PER_E_FOLD
    assert curve.points[-1].update >= 20_000 * (1 - 2 / BINS_PER_E_FOLD)


def test_bins_are_means_and_nothing_is_lost():
    losses = np.random.default_rng(0).random(3000)
    curve = _fed(losses)
    ends = [point.update for point in curve.points]
    for start, end, point in zip([0, *ends], ends, curve.points, strict=False):
        assert point.nats == pytest.approx(losses[start:end].mean())


def test_smoothing_of_a_constant_is_that_constant():
    assert _fed([2.0] * 500).smooth == pytest.approx([2.0] * len(_fed([2.0] * 500).points))


@given(st.integers(0, 500), st.integers(1, 100), st.integers(0, 99))
def test_thinning_keeps_the_ends_and_the_order(n, most, early):
    early = min(early, most - 1)
    points = [Point(i, i, i, 0.0) for i in range(n)]
    kept = thin(points, most, early)
    assert kept[: early + 1] == points[: early + 1]
    assert len(kept) <= most + 1
    assert [p.update for p in kept] == sorted({p.update for p in kept})
    if n:
        assert kept[0] is points[0]
        assert kept[-1] is points[-1]


def test_perplexity_never_overflows():
    assert perplexity_of(1e6) == math.inf
    assert perplexity_of(0.0) == 1.0
