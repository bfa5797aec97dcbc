import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.clipping import angle, both_clippings, clip_by_value, limit_for_norm
from core.training.optimizers import clip_by_global_norm


@given(st.integers(0, 30), st.floats(0.01, 1.0), st.integers(1, 60))
def test_both_clippings_give_the_length_and_only_one_leaves_the_direction(seed, share, size):
    g = np.random.default_rng(seed).standard_normal(size) ** 3
    before, wanted = g.copy(), share * np.linalg.norm(g)
    kept, turned = both_clippings(g, wanted, clip_by_global_norm)
    np.testing.assert_array_equal(g, before)
    assert kept.after == pytest.approx(wanted)
    assert turned.after == pytest.approx(wanted)
    assert kept.angle < 1e-5
    assert turned.angle >= 0
    if size > 5 and share < 0.5:
        assert turned.angle > 1


def test_a_short_gradient_is_not_clipped():
    assert limit_for_norm(np.ones(4), 2.0) == math.inf
    assert np.array_equal(clip_by_value(np.ones(4), math.inf), np.ones(4))
    assert limit_for_norm(np.zeros(4), 1.0) == math.inf
    assert limit_for_norm(np.array([3.0, -3.0, 3.0, 3.0]), 2.0) == pytest.approx(1.0)


@given(st.floats(1e-9, math.pi - 1e-9))
def test_the_angle_is_exact_from_0_to_180_degrees(radians):
    a, b = np.array([1.0, 0.0]), 7 * np.array([math.cos(radians), math.sin(radians)])
    assert angle(a, b) == pytest.approx(math.degrees(radians), rel=1e-6)
    for bad in ([0.0, 0.0], [1.0, math.nan], [1.0, math.inf]):
        assert math.isnan(angle(np.array(bad), a))
