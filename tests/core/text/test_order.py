"""What is shuffled is the same text, window by window."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.settings import Settings
from core.text.batches import Windows
from core.text.corpus import Stream, load_corpus
from core.text.order import shuffled, whole_windows
from core.training.held_out import HeldOut

SMALL = Settings(corpus="lag", lag=3, max_tokens=3000, hidden_size=8, batch_size=4, num_steps=5)


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
