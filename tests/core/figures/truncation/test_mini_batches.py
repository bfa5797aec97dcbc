"""Mini-batches lie on the bar and say where they are."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.mini_batches import mini_batches
from core.figures.parts.numbers import count
from core.figures.truncation.mini_batches import counted_from_zero, mini_batches_scene


@given(st.integers(1, 32), st.integers(1, 35), st.integers(0, 2000), st.booleans())
def test_mini_batches_lie_on_the_bar_and_say_where(N, T, more, in_order):
    m = mini_batches(N * T + more, N, T, in_order=in_order)
    scene = mini_batches_scene(m, None, in_order=in_order)
    x, _, width, _ = scene["bar"]
    for frame in scene["frames"]:
        assert len(frame["spans"]) == N
        assert all(x <= left and left + wide <= x + width + 3 for left, wide in frame["spans"])
        assert frame["said"].endswith(".")
        assert 1 <= int(re.search(r"update (\d+) of", frame["where"])[1]) <= m.per_epoch
        assert len(frame["blocks"]) == len(scene["lanes"]) <= 4
    assert len(scene["follows"]) == len(scene["frames"])


@pytest.mark.parametrize("in_order", [True, False])
def test_rows_begin_where_it_is_said(in_order):
    m = mini_batches(1000, 2, 10, in_order=in_order)
    said = mini_batches_scene(m, None, in_order=in_order)["frames"][0]["said"]
    assert all(count(start) in said for start in m.starts.tolist())
    assert ("500 apart" in said) == in_order


def test_the_second_source_counts_from_zero():
    assert all(state in counted_from_zero(10) for state in ("h₉", "h₁₉", "h₁₀", "h₂₀"))
