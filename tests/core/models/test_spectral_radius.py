import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.initialisation import scale_to_radius, spectral_radius


def matrix(H: int = 9, seed: int = 0, dtype: type = np.float64) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((H, H)).astype(dtype)


def test_spectral_radius_is_the_growth_per_step_of_high_powers():
    W = matrix()
    W = W @ W.T  # real eigenvalues: powers settle
    power = np.linalg.matrix_power(W / 10, 60)
    assert np.linalg.norm(power @ W, 2) / np.linalg.norm(power, 2) == pytest.approx(spectral_radius(W), rel=1e-6)


@given(st.floats(0.1, 2.5), st.integers(1, 12), st.integers(0, 5), st.sampled_from([np.float32, np.float64]))
def test_scaling_multiplies_the_matrix_to_the_given_radius(radius, H, seed, dtype):
    W = matrix(H, seed, dtype)
    before = W.copy()
    old = scale_to_radius(W, radius)
    assert old == pytest.approx(spectral_radius(before))
    assert spectral_radius(W) == pytest.approx(radius, rel=1e-4 if dtype == np.float32 else 1e-9)
    assert np.allclose(W, before * (radius / old), rtol=1e-6)


def test_a_matrix_without_a_radius_is_refused_unchanged():
    W = np.triu(np.ones((3, 3)), 1)
    with pytest.raises(ValueError):
        scale_to_radius(W, 1.0)
    assert np.array_equal(W, np.triu(np.ones((3, 3)), 1))
    W[0, 0] = math.nan
    assert math.isnan(spectral_radius(W))
    with pytest.raises(ValueError):
        scale_to_radius(W, 1.0)
