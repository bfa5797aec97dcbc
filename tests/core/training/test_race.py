"""A race is fair, and moves nothing but itself."""

import numpy as np
import pytest

from core.settings import Settings
from core.text.corpus import load_corpus
from core.training.held_out import HeldOut
from core.training.live_run import LiveRun
from core.training.race import Race
from core.training.tbptt import Trainer

SMALL = Settings(corpus="lag", lag=3, max_tokens=3000, hidden_size=8, batch_size=4, num_steps=5)
LIMIT = 60.0


def race():
    corpus = load_corpus(SMALL)
    return Race({"a": Trainer(SMALL, corpus), "b": Trainer(SMALL.but(learning_rate=0.1), corpus)}, HeldOut(SMALL, corpus))


def test_everybody_does_the_updates_that_they_would_do_alone():
    together, alone = race(), Trainer(SMALL.but(learning_rate=0.1), load_corpus(SMALL))
    for _ in range(50):
        assert set(next(together)) == {"a", "b"}
        next(alone)
    assert together.step == 50
    np.testing.assert_array_equal(together.trainers["b"].params.flat, alone.params.flat)


def test_all_are_judged_at_the_same_updates_from_the_start():
    r = race()
    for _ in range(60):
        next(r)
    a, b = r.judged.values()
    assert [p.update for p in a] == [p.update for p in b]
    assert a[0].update == 0
    assert len(a) > 5
    assert a[-1].nats == pytest.approx(r.held_out.judge(r.trainers["a"].params, SMALL), rel=0.2)


def test_a_live_run_drives_it():
    r = race()
    run = LiveRun(r)
    run.play(until=30)
    assert run.join(LIMIT)
    assert run.snapshot().state == "paused"
    assert {t.step for t in r.trainers.values()} == {30}
