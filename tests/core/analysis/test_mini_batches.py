import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.analysis.mini_batches import mini_batches
from core.text.token_stream import Windows
from tests.core.networks import places


@given(st.integers(1, 5), st.integers(1, 6), st.integers(0, 200))
def test_every_update_reads_what_training_reads(N, T, more):
    length = N * T + more
    m = mini_batches(length, N, T)
    windows = Windows(places(length), N, T)
    read = [next(windows)[0] for _ in range(int(m.updates[-1]) + 1)]
    assert m.per_epoch == windows.updates_per_epoch
    for update, drawn in zip(m.updates.tolist(), m.places, strict=True):
        np.testing.assert_array_equal(drawn, read[update])


def test_shuffled_windows_are_whole_and_a_text_too_short_is_refused():
    m, ordered = mini_batches(1000, 2, 10, in_order=False), mini_batches(1000, 2, 10)
    assert (m.places[:, 0] % 10 == 0).all()
    assert (np.diff(m.places, axis=1) == 1).all()
    assert (m.places[: m.per_epoch] != ordered.places[: m.per_epoch]).any()
    for in_order in (True, False):
        with pytest.raises(ValueError):
            mini_batches(19, 2, 10, in_order=in_order)
