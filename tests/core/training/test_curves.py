import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.training.curves import BINS_PER_E_FOLD, Curve, Epochs, Point, thin


def filled(curve, losses, per_epoch=1, start=1):
    for i, nats in enumerate(losses, start):
        curve.add(Point(i, 10 * i, 0.1 * i, nats, i / per_epoch))
    return curve


def test_a_point_is_the_mean_since_the_one_before():
    losses = np.random.default_rng(0).random(3000)
    curve = filled(Curve(), losses)
    ends = [point.update for point in curve.points]
    assert ends[:BINS_PER_E_FOLD] == list(range(1, BINS_PER_E_FOLD + 1))
    for start, end, point in zip([0, *ends], ends, curve.points, strict=False):
        assert point.nats == pytest.approx(losses[start:end].mean())


def test_a_long_run_has_few_points_and_a_constant_is_smoothed_to_itself():
    curve, epochs = filled(Curve(), [2.0] * 20_000), filled(Epochs(2), np.ones(40_000), per_epoch=2)
    for points in (curve.points, epochs.points):
        assert len(points) <= BINS_PER_E_FOLD * (2.1 + math.log(20_000 / BINS_PER_E_FOLD))
    assert min(curve.points[-1].update, epochs.points[-1].epoch) >= 20_000 * (1 - 2 / BINS_PER_E_FOLD)
    assert curve.smooth == pytest.approx([2.0] * len(curve.points))


def test_the_mean_of_an_epoch_is_over_all_its_windows():
    losses = np.random.default_rng(0).random(50)
    epochs = filled(Epochs(7), losses, per_epoch=7)
    assert [(point.update, point.epoch) for point in epochs.points] == [(7 * epoch, epoch) for epoch in range(1, 8)]
    assert [point.nats for point in epochs.points] == pytest.approx(losses[:49].reshape(7, 7).mean(axis=1))


def test_an_epoch_that_was_not_read_at_once_has_no_mean():
    epochs = filled(Epochs(4), [5.0] * 10, per_epoch=4)
    epochs.forget_after(7)
    assert [point.update for point in epochs.points] == [4]
    filled(epochs, [1.0] * 9, per_epoch=4, start=8)
    assert [(point.update, point.nats) for point in epochs.points] == [(4, 5.0), (12, 1.0), (16, 1.0)]


@given(st.integers(0, 500), st.integers(1, 100), st.integers(0, 99))
def test_thinning_keeps_the_ends_and_the_order(n, most, early):
    early = min(early, most - 1)
    points = [Point(i, i, i, 0.0) for i in range(n)]
    kept = thin(points, most, early)
    assert kept[: early + 1] == points[: early + 1]
    assert len(kept) <= most + 1
    assert [p.update for p in kept] == sorted({p.update for p in kept})
    assert kept[:1] + kept[-1:] == points[:1] + points[-1:]
