"""What races to show what the order is worth differs in the order of its windows alone."""

import numpy as np

from core.settings import Settings
from core.text.corpus import load_corpus
from core.training.order_race import UNITS, order_race, raced

SMALL = Settings(corpus="lag", lag=3, max_tokens=3000, hidden_size=2 * UNITS, batch_size=4, num_steps=8, truncation=2)


def test_both_begin_equal_and_read_the_same_windows():
    settings = raced(SMALL)
    trainers = order_race(settings, load_corpus(settings)).trainers
    assert settings.hidden_size == UNITS
    assert settings.truncation is None
    a, b = trainers["in order"], trainers["shuffled"]
    np.testing.assert_array_equal(a.params.flat, b.params.flat)
    rows = [_epoch(trainer) for trainer in (a, b)]
    assert not np.array_equal(*rows)
    np.testing.assert_array_equal(*(np.unique(read, axis=0, return_counts=True)[1] for read in rows))
    np.testing.assert_array_equal(*(np.unique(read, axis=0) for read in rows))


def _epoch(trainer):
    """Every row of every window of an epoch: (rows, T)."""
    windows = trainer._windows
    return np.concatenate([next(windows)[0].T for _ in range(windows.updates_per_epoch)])
