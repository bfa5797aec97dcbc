import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.analysis.mini_batches import mini_batches
from core.text.token_stream import Windows, shuffled, whole_windows
from tests.core.networks import places

SIZES = st.tuples(st.integers(1, 9), st.integers(1, 12), st.integers(0, 300)).map(lambda s: (s[0] * s[1] + s[2], *s[:2]))


@given(SIZES)
def test_the_next_window_of_each_row_continues_the_last_for_ever(sizes):
    length, N, T = sizes
    windows = Windows(places(length), N, T)
    assert windows.updates_per_epoch == length // (N * T)
    seen = [next(windows) for _ in range(3 * windows.updates_per_epoch + 5)]
    inputs = np.concatenate([x for x, _ in seen])
    expected = (np.arange(len(inputs))[:, None] + length // N * np.arange(N)) % length
    np.testing.assert_array_equal(inputs, expected)
    for x, y in seen:
        assert x.shape == y.shape == (T, N)
        assert x.flags.c_contiguous
        assert y.flags.c_contiguous
        np.testing.assert_array_equal(y, x + 1)


@given(SIZES)
def test_a_position_can_be_restored(sizes):
    length, N, T = sizes
    windows = Windows(places(length), N, T)
    for _ in range(4):
        next(windows)
    position = windows.position
    first = next(windows)[0]
    next(windows)
    windows.position = position
    np.testing.assert_array_equal(next(windows)[0], first)
    assert 0 <= windows.position < length


def test_a_text_shorter_than_a_window_is_refused():
    with pytest.raises(ValueError, match=r"99 .* 100\b"):
        Windows(places(99), 10, 10)
    Windows(places(100), 10, 10)


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
