"""The curves of a run, read back as a reader would."""

import io
import math

import numpy as np
import pandas as pd
import pytest

from core.models.loss import perplexity_of
from core.training.curves import Point
from core.training.metrics import COLUMNS, as_csv
from core.training.tbptt import Trainer
from core.training.watched import Watched
from tests.core.training.corpora import SMALL, lag_text

UPDATES = 300  # more than a curve has points for, and more than an epoch


@pytest.fixture(scope="module")
def run():
    watched = Watched(Trainer(SMALL, lag_text()), lag_text())
    for _ in range(UPDATES):
        next(watched)
        if watched.step == 100:
            watched.change(learning_rate=0.001)
            watched.change(carry_state=False)
            watched.change(truncation=2)
            watched.scale_to_radius(1.5)
    return watched


def table(watched, **options):
    return pd.read_csv(io.StringIO(as_csv(watched.history, watched.settings, **options)))


def test_every_point_of_every_curve_is_a_row_with_its_perplexity(run):
    read = table(run)
    assert tuple(read.columns) == COLUMNS
    curves = {
        "training windows": run.history.training.points,
        "held-out text": run.history.judged,
        "epoch": run.history.epochs.points,
    }
    for kind, points in curves.items():
        rows = read[read.kind == kind]
        assert len(rows) == len(points) > 1
        np.testing.assert_array_equal(rows["update"], [p.update for p in points])
        np.testing.assert_array_equal(rows.tokens, [p.tokens for p in points])
        np.testing.assert_array_equal(rows.nats_per_token, [p.nats for p in points])
        np.testing.assert_allclose(rows.perplexity, np.exp(rows.nats_per_token))
        np.testing.assert_allclose(rows.epoch, [p.epoch for p in points], atol=1e-6)
        np.testing.assert_allclose(rows.seconds, [p.seconds for p in points], atol=1e-3)
    assert len(read) == sum(map(len, curves.values())) + 4
    assert read["update"].is_monotonic_increasing


def test_moved_knobs_are_rows_of_numbers(run):
    read = table(run).query("kind == 'knob moved'").set_index("knob")
    assert set(read["update"]) == {100}
    assert read.nats_per_token.isna().all()
    assert read.loc["learning_rate", ["old", "new"]].tolist() == [SMALL.learning_rate, 0.001]
    assert read.loc["carry_state", ["old", "new"]].tolist() == [1, 0]
    assert read.loc["truncation", ["old", "new"]].tolist() == [SMALL.num_steps, 2]
    assert read.loc["spectral_radius", "new"] == 1.5


def test_the_windows_are_means_of_all_losses(run):
    rows = table(run).query("kind == 'training windows'")
    trainer = Watched(Trainer(SMALL, lag_text()), lag_text()).trainer
    losses = [next(trainer).loss for _ in range(100)]
    np.testing.assert_allclose(rows.nats_per_token[:100], losses)


def test_judged_on_the_training_text_is_said(run):
    kinds = set(table(run, on_training_text=True).kind)
    assert "training text" in kinds
    assert "held-out text" not in kinds


def test_numbers_that_overflowed_are_read_as_such(run):
    trainer = Trainer(SMALL, lag_text())
    watched = Watched(trainer, lag_text())
    watched.history.judged[:] = [Point(1, 20, 0.1, 1e9), Point(2, 40, 0.2, math.nan)]
    read = table(watched)
    assert read.perplexity[0] == math.inf == perplexity_of(1e9)
    assert math.isnan(read.nats_per_token[1])


def test_no_cell_is_a_formula(run):
    for line in as_csv(run.history, run.settings).splitlines():
        for cell in line.split(","):
            assert cell[:1] not in ("=", "+", "-", "@", "\t", "\r", '"')
