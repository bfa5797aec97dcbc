"""Clipping, and refusals. The update rules and the schedule: ``test_tbptt.py`` and ``test_pytorch_curves.py``."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.training.optimizers import OPTIMIZERS, clip_by_global_norm, make_optimizer, norm


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_step_in_float32_changes_no_gradient_and_a_zero_gradient_moves_nothing(name):
    p, g, optimizer = np.ones(5, np.float32), np.full(5, 0.5, np.float32), make_optimizer(name, 5)
    optimizer.step(p, np.zeros(5, np.float32), 0.01)
    assert (p == 1).all()
    optimizer.step(p, g, 0.01)
    assert (g == 0.5).all()
    assert p.dtype == np.float32
    assert (p < 1).all()
    with pytest.raises(ValueError):
        make_optimizer("newton", 3)


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=30), st.floats(1e-3, 1e3))
def test_clipping_keeps_the_direction_and_bounds_the_length(values, limit):
    g = np.array(values)
    before = g.copy()
    length = clip_by_global_norm(g, limit)
    assert length == pytest.approx(math.sqrt((before**2).sum()), rel=1e-9, abs=1e-12)
    if length <= limit:
        np.testing.assert_array_equal(g, before)
    else:
        assert np.linalg.norm(g) == pytest.approx(limit)
        np.testing.assert_allclose(g * length, before * limit, rtol=1e-9, atol=1e-9)


def test_a_clip_norm_of_zero_is_off_and_norms_in_float32_are_finite():
    g = np.full(4, 100.0)
    assert clip_by_global_norm(g, 0.0) == 200
    assert (g == 100).all()
    assert norm(np.full(4, 1e30, np.float32)) == pytest.approx(2e30, rel=1e-6)
    assert norm(np.full(4, 1e-30, np.float32)) == pytest.approx(2e-30, rel=1e-6)
    assert norm(np.zeros(3, np.float32)) == 0
