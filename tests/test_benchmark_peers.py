"""The network that the benchmark of training compares with the core learns the same as the core; a delay is of one clock."""

import time
from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks.page import _move
from benchmarks.plain import PlainTrainer
from benchmarks.training import Case, random_corpus
from core.training.tbptt import Trainer

SMALL = [Case(7, 5, 3, 4), Case(7, 5, 3, 4, embedding=6), Case(9, 4, 1, 6, optimizer="adagrad")]


@pytest.mark.parametrize("case", SMALL, ids=str)
def test_a_peer_learns_the_same_as_the_core(case):
    settings, corpus = case.settings.but(dtype="float64", clip_norm=0.3), random_corpus(case.V, length=100)
    trainer = Trainer(settings, corpus)
    other = PlainTrainer(trainer.params, corpus.train, settings)
    updates = 30  # enough for the windows to reach the end of the text and start again
    np.testing.assert_allclose([u.loss for u in islice(trainer, updates)], list(islice(other, updates)), rtol=1e-9)


def test_the_delay_of_a_knob_is_measured_by_one_clock():
    applied = []

    def do(*_call: object) -> float:
        applied.append(time.monotonic())  # as ``COUNTING`` does in the server
        return -13.0  # milliseconds by the browser's own clock

    began = time.monotonic()
    shown, trained = _move(SimpleNamespace(do=do), lambda: (1.0, 0.5, applied[-1]), step=True)
    assert shown == -13.0
    assert 0 <= trained <= 1000 * (applied[-1] - began)
