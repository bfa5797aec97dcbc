"""A race is fair, moves nothing but itself, and what is shuffled is the same text."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.settings import Settings
from core.text.batches import Windows
from core.text.corpus import Stream, load_corpus
from core.training.held_out import HeldOut
from core.training.live_run import LiveRun, Source
from core.training.race import Race, shuffled, whole_windows
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
    assert isinstance(r, Source)
    run = LiveRun(r, patience=LIMIT)
    run.change(learning_rate=0.5)
    run.play(until=30)
    assert run.join(LIMIT)
    assert run.snapshot().state == "paused"
    assert {t.step for t in r.trainers.values()} == {30}
    assert {t.settings.learning_rate for t in r.trainers.values()} == {0.5}


def pairs(stream):
    return list(zip(stream.inputs.tolist(), stream.targets.tolist(), strict=True))


@given(st.integers(1, 5), st.integers(1, 6), st.integers(0, 60), st.integers(0, 9))
def test_shuffling_keeps_every_window_whole(N, T, more, seed):
    ids = np.arange(N * T + more, dtype=np.int32)
    stream = whole_windows(Stream(ids, ids + 1), N, T)
    assert len(stream) % (N * T) == 0
    assert N * T + more - len(stream) < N * T
    mixed = shuffled(stream, T, np.random.default_rng(seed))
    assert sorted(pairs(mixed)) == pairs(stream)
    for i in range(0, len(mixed), T):
        assert mixed.inputs[i] % T == 0
        np.testing.assert_array_equal(np.diff(mixed.inputs[i : i + T]), 1)


def test_a_shuffled_epoch_reads_the_same_windows_in_another_order():
    corpus, N, T = load_corpus(SMALL), SMALL.batch_size, SMALL.num_steps
    stream = whole_windows(corpus.train, N, T)
    mixed = shuffled(stream, T, np.random.default_rng(0))

    def epoch(train):
        windows = Windows(train, N, T)
        read = [next(windows)[0] for _ in range(windows.updates_per_epoch)]
        return [window[:, row].tobytes() for window in read for row in range(N)]

    before, after = epoch(stream), epoch(mixed)
    assert sorted(before) == sorted(after)
    assert before != after


def test_training_on_shuffled_windows_is_judged_on_the_text_in_order():
    corpus = load_corpus(SMALL)
    stream = whole_windows(corpus.train, SMALL.batch_size, SMALL.num_steps)
    mixed = replace(corpus, train=shuffled(stream, SMALL.num_steps, np.random.default_rng(0)))
    np.testing.assert_array_equal(HeldOut(SMALL, mixed).source.inputs, corpus.held_out.inputs)
