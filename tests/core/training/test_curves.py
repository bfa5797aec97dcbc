"""Curves stay small and truthful; thinning keeps the ends."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.loss import perplexity_of
from core.training.curves import BINS_PER_E_FOLD, Curve, Epochs, Point, thin


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


def _epochs(losses, per_epoch):
    epochs = Epochs(per_epoch)
    for i, nats in enumerate(losses, 1):
        epochs.add(Point(i, 10 * i, 0.1 * i, nats, i / per_epoch))
    return epochs


def test_an_epoch_s_mean_is_that_of_all_its_windows():
    losses = np.random.default_rng(0).random(50)
    epochs = _epochs(losses, 7)
    assert [point.update for point in epochs.points] == [7, 14, 21, 28, 35, 42, 49]
    assert [point.epoch for point in epochs.points] == [1, 2, 3, 4, 5, 6, 7]
    assert [point.nats for point in epochs.points] == pytest.approx(losses[:49].reshape(7, 7).mean(axis=1))


def test_of_many_epochs_few_are_kept():
    epochs = _epochs(np.ones(60_000), 2)
    assert len(epochs.points) <= BINS_PER_E_FOLD * (1.1 + math.log(30_000 / BINS_PER_E_FOLD)) + BINS_PER_E_FOLD
    assert epochs.points[-1].epoch > 30_000 * (1 - 2 / BINS_PER_E_FOLD)


def test_an_epoch_that_was_not_read_once_from_end_to_end_has_no_mean():
    epochs = _epochs([5.0] * 10, 4)
    epochs.forget_after(7)
    assert [point.update for point in epochs.points] == [4]
    for i in range(8, 17):
        epochs.add(Point(i, 10 * i, 0.1 * i, 1.0, i / 4))
    assert [(point.update, point.nats) for point in epochs.points] == [(4, 5.0), (12, 1.0), (16, 1.0)]


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
