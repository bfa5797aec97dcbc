import itertools

import numpy as np
import pytest

from core.analysis.cost import MOST_WORK, Cost, in_blocks, lengths_for, measure, straight_lines, summarise
from tests.core.networks import network


def test_every_length_is_measured_in_turn_and_the_summary_is_the_median(monkeypatch):
    params, ticks = network(7, 5), itertools.count()
    with monkeypatch.context() as patched:
        patched.setattr("time.perf_counter", lambda: float(next(ticks)))
        samples = list(measure(params, 2, (1, 3), repeats=4))
    assert [sample.T for sample in samples] == [1, 3] * 4
    assert all(sample.forward == sample.backward == 1 for sample in samples)
    samples = [Cost(4, seconds, 2 * seconds, 10, 20) for seconds in (1.0, 9.0, 2.0)] + [Cost(2, 1.0, 1.0, 5, 10)]
    assert summarise(samples) == [Cost(2, 1.0, 1.0, 5, 10), Cost(4, 2.0, 4.0, 10, 20)]


def test_memory_is_that_of_the_arrays_of_every_step():
    V, H, N = 7, 5, 2
    costs = summarise(measure(network(V, H, dtype=np.float32), N, (1, 2, 3), repeats=1))
    word, token = np.dtype(np.float32).itemsize, np.dtype(np.intp).itemsize
    assert [cost.forward_bytes for cost in costs] == [word * N * ((T + 1) * H + T * V) + token * T * N for T in (1, 2, 3)]
    assert [cost.backward_bytes for cost in costs] == [word * N * T * (3 * H + V) for T in (1, 2, 3)]


def test_a_straight_line_is_fitted_to_each_column():
    lines = straight_lines([Cost(T, 3 + 1.0 * T, 3.0 * T, 10 + T, 20 + 2 * T) for T in (1, 5, 10)])
    assert [line.per_step for line in lines] == pytest.approx([1, 3, 1, 2])
    assert [line.start for line in lines] == pytest.approx([3, 0, 10, 20])
    assert [line.at(10) for line in lines] == pytest.approx([13, 30, 20, 40])
    with pytest.raises(ValueError):
        straight_lines([Cost(1, 1.0, 1.0, 1, 1)])


def test_large_networks_are_measured_at_fewer_lengths():
    lengths = lengths_for(network(100, 512), 32)
    assert 2 < len(lengths) < len(lengths_for(network(7, 5), 2))
    assert all(T * 32 * 512 * 612 <= MOST_WORK for T in lengths[2:])


def test_a_text_in_blocks_costs_as_much_as_its_windows():
    params, T = network(7, 5), 60
    costs = summarise(measure(params, 2, (1, 4, 6), repeats=1))
    for tau in (6, T):
        kept = summarise(measure(params, 2, (tau,), repeats=1))[0].forward_bytes
        assert in_blocks(straight_lines(costs), T, tau).bytes == pytest.approx(kept)
    lines = straight_lines([Cost(T, 5.0 + T, 1.0 + 2 * T, 0, 0) for T in (1, 5, 10)])
    assert in_blocks(lines, T, 6)[:3] == (6, 10, 5)
    assert in_blocks(lines, T, 6).seconds == pytest.approx(sum(5.0 + 6 + 1.0 + 12 for _ in range(10)))
    assert in_blocks(lines, 61, 6).updates == 11


def test_a_negative_fixed_cost_counts_as_zero():
    lines = straight_lines([Cost(T, 2.0 * T - 5, 1.0 * T, 0, 0) for T in (10, 100)])
    assert in_blocks(lines, 60, 1).seconds == pytest.approx(60 * 3.0)
