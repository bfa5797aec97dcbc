from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.text.corpus import load_corpus
from core.text.order import shuffled, whole_windows
from core.training.held_out import HeldOut
from tests.core.networks import places
from tests.core.training.runs import SMALL


@given(st.integers(1, 5), st.integers(1, 6), st.integers(0, 60), st.integers(0, 9))
def test_shuffling_permutes_whole_windows(N, T, more, seed):
    stream = whole_windows(places(N * T + more), N, T)
    assert len(stream) == (N * T + more) // (N * T) * N * T
    mixed = shuffled(stream, T, np.random.default_rng(seed))
    np.testing.assert_array_equal(np.sort(mixed.inputs), stream.inputs)
    np.testing.assert_array_equal(mixed.targets, mixed.inputs + 1)
    for i in range(0, len(mixed), T):
        assert mixed.inputs[i] % T == 0
        np.testing.assert_array_equal(np.diff(mixed.inputs[i : i + T]), 1)
    if len(mixed) > 9 * T:
        assert (mixed.inputs != stream.inputs).any()


def test_held_out_text_stays_in_order():
    corpus = load_corpus(SMALL)
    mixed = replace(corpus, train=shuffled(corpus.train, SMALL.num_steps, np.random.default_rng(0)))
    np.testing.assert_array_equal(HeldOut(SMALL, mixed).source.inputs, corpus.held_out.inputs)
