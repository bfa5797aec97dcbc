"""Mini-batches lie on the bar and say where they are."""

from hypothesis import given
from hypothesis import strategies as st

from core.analysis.mini_batches import mini_batches
from core.figures.truncation.mini_batches import mini_batches_scene


@given(st.integers(1, 32), st.integers(1, 35), st.integers(0, 2000), st.booleans())
def test_mini_batches_lie_on_the_bar_and_say_where(N, T, more, in_order):
    m = mini_batches(N * T + more, N, T, in_order=in_order)
    scene = mini_batches_scene(m, None, in_order=in_order)
    x, _, width, _ = scene["bar"]
    for frame in scene["frames"]:
        assert len(frame["spans"]) == N
        assert all(x <= left and left + wide <= x + width + 3 for left, wide in frame["spans"])
        assert frame["said"].endswith(".")
        assert len(frame["blocks"]) == len(scene["lanes"]) <= 4
    assert len(scene["follows"]) == len(scene["frames"])
