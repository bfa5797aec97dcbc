import io
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from core.training.curves import BINS_PER_E_FOLD, Curve, Epochs, Point, thin
from core.training.history import COLUMNS, as_csv
from tests.core.training.runs import SMALL, advance, monitored


@pytest.fixture(scope="module")
def run():
    """A run with more updates than a curve has points, and than an epoch has."""
    run = advance(monitored(SMALL), 100)
    for moved in ({"learning_rate": 0.001}, {"carry_state": False}, {"truncation": 2}):
        run.change(**moved)
    run.scale_to_radius(1.5)
    return advance(run, 200)


def table(run, **options):
    return pd.read_csv(io.StringIO(as_csv(run.history, run.settings, **options)))


def test_every_point_of_every_curve_is_a_row_with_its_perplexity(run):
    read = table(run)
    assert tuple(read.columns) == COLUMNS
    seen = run.history
    curves = {"training windows": seen.training.points, "held-out text": seen.judged, "epoch": seen.epochs.points}
    for kind, points in curves.items():
        rows = read[read.kind == kind]
        assert len(rows) == len(points) > 1
        for column, name in {"update": "update", "tokens": "tokens", "nats_per_token": "nats"}.items():
            np.testing.assert_array_equal(rows[column], [getattr(point, name) for point in points])
        np.testing.assert_allclose(rows.perplexity, np.exp(rows.nats_per_token))
        np.testing.assert_allclose(rows.epoch, [p.epoch for p in points], atol=1e-6)
        np.testing.assert_allclose(rows.seconds, [p.seconds for p in points], atol=1e-3)
    assert (read["update"] - read.first_update)[read.kind != "epoch"].max() == 0
    assert len(read) == sum(map(len, curves.values())) + 4
    assert read["update"].is_monotonic_increasing
    trainer = monitored(SMALL).trainer
    losses = [next(trainer).loss for _ in range(100)]
    np.testing.assert_allclose(read[read.kind == "training windows"].nats_per_token[:100], losses)


def test_a_row_of_windows_is_the_mean_of_the_updates_that_it_names():
    run, losses = monitored(SMALL), [math.nan]
    losses += [next(run).loss for _ in range(2000)]
    read = table(run)
    for kind in ("training windows", "epoch"):
        rows = read[read.kind == kind]
        assert (rows["update"] - rows.first_update).max() > 0
        means = [np.mean(losses[first : last + 1]) for first, last in zip(rows.first_update, rows["update"], strict=True)]
        np.testing.assert_allclose(rows.nats_per_token, means)


def test_moved_knobs_are_rows_of_numbers(run):
    read = table(run).query("kind == 'knob moved'").set_index("knob")
    assert set(read["update"]) == {100}
    assert read.nats_per_token.isna().all()
    assert read.loc["learning_rate", ["old", "new"]].tolist() == [SMALL.learning_rate, 0.001]
    assert read.loc["carry_state", ["old", "new"]].tolist() == [1, 0]
    assert read.loc["truncation", ["old", "new"]].tolist() == [SMALL.num_steps, 2]
    assert read.loc["spectral_radius", "new"] == 1.5


def test_judgements_on_the_training_text_and_overflowed_numbers_are_named_so(run):
    kinds = set(table(run, on_training_text=True).kind)
    assert "training text" in kinds
    assert "held-out text" not in kinds
    run = monitored(SMALL)
    run.history.judged[:] = [Point(1, 20, 0.1, 1e9), Point(2, 40, 0.2, math.nan)]
    read = table(run)
    assert read.perplexity[0] == math.inf
    assert math.isnan(read.nats_per_token[1])


def test_no_cell_is_a_formula(run):
    cells = [cell for line in as_csv(run.history, run.settings).splitlines() for cell in line.split(",")]
    assert len(cells) > 1000
    assert not [cell for cell in cells if cell[:1] in ("=", "+", "-", "@", "\t", "\r", '"')]


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
