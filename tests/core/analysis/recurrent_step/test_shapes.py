"""Every number of the Recurrent step page is the core's."""

import numpy as np
import pytest

from core.analysis.recurrent_step.shapes import first_window, numbers
from core.text.batches import Windows
from core.text.pairs import next_token_pairs


def test_what_is_learnt_does_not_depend_on_how_long_the_text_is():
    n = numbers(N=32, D=0, H=128, V=103)
    assert n.total == 42_983 == sum(np.prod(shape) for shape in n.learnt.values())
    assert n.kept == {1: 4096, 10: 40_960, 100: 409_600}


@pytest.mark.parametrize(("N", "T"), [(4, 7), (1, 1), (10, 10), (3, 33)])
def test_the_rows_are_those_that_training_reads_first(N, T):
    stream = next_token_pairs(np.random.default_rng(0).integers(0, 9, 104).astype(np.int32))
    np.testing.assert_array_equal(first_window(stream, N, T, most=5), next(Windows(stream, N, T))[0].T[:5])


def test_a_text_shorter_than_a_window_is_read_in_a_circle():
    stream = next_token_pairs(np.arange(6, dtype=np.int32))
    assert first_window(stream, 8, 7, most=2).tolist() == [[0, 1, 2, 3, 4, 0, 1]] * 2
