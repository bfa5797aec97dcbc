"""Clipping, the schedule, and refusals. The update rules: ``test_tbptt.py`` and ``test_pytorch_curves.py``."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.training.optimizers import OPTIMIZERS, clip_by_global_norm, make_optimizer, norm, rate_at
from tests.core.training.runs import SMALL


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


@given(st.integers(1, 10**7), st.floats(1e-8, 1e6))
def test_the_schedule_falls_from_the_rate_to_exactly_zero(until, rate):
    settings = SMALL.but(learning_rate=rate, cosine_until=until)
    assert rate_at(settings, 0) == rate
    assert rate_at(settings, until) == rate_at(settings, until + 1) == rate_at(settings, 10 * until) == 0
    assert rate_at(settings, until // 2) >= rate / 2 > 0
    falling = [rate_at(settings, until * i // 20) for i in range(21)]
    assert falling == sorted(falling, reverse=True)
    assert rate_at(settings.but(cosine_until=0), until) == rate
