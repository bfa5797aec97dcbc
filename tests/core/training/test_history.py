import io
import math

import numpy as np
import pandas as pd
import pytest

from core.training.curves import Point
from core.training.history import COLUMNS, as_csv
from tests.core.training.runs import SMALL, advance, monitored


@pytest.fixture(scope="module")
def run():
    """More updates than a curve has points for, and than an epoch has."""
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
    assert len(read) == sum(map(len, curves.values())) + 4
    assert read["update"].is_monotonic_increasing
    trainer = monitored(SMALL).trainer
    losses = [next(trainer).loss for _ in range(100)]
    np.testing.assert_allclose(read[read.kind == "training windows"].nats_per_token[:100], losses)


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
