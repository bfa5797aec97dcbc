import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.analysis import vanishing
from core.analysis.gradient_flow import from_loss
from core.analysis.vanishing import affordable, angle, at_radius, both_clippings, fresh_network, fresh_text, measure, passages
from core.models.initialisation import spectral_radius
from core.models.rnn import backward, forward
from core.training.optimizers import clip_by_global_norm
from tests.core.networks import network, places


@pytest.mark.parametrize(("radius", "known", "low", "high"), [(0.5, -10.2, -99, 0), (1.0, -1.08, -99, 0), (2.0, 1.78, 0.5, 99)])
def test_gradients_of_a_fresh_network_shrink_at_the_known_rate(radius, known, low, high):
    """``known``: the mean log10 of |d L_t / d h_(t-32)| / |d L_t / d h_t|."""
    fresh = [(at_radius(fresh_network(seed), radius), fresh_text(seed=seed)) for seed in range(5)]
    ratios = [np.log10(measure(params, text, activation="tanh").relative[32]) for params, text in fresh]
    assert np.mean(ratios) == pytest.approx(known, abs=0.5)
    assert low < min(ratios) <= max(ratios) < high


def test_the_measurement_is_that_of_the_backward_pass():
    params, text = at_radius(fresh_network(), 1.1), fresh_text()
    found = measure(params, text, activation="tanh")
    g = backward(forward(params, text[0]), text[1])
    assert np.array_equal(found.gradient, g.dparams.flat)
    last = np.linalg.norm(from_loss(g)[1:] * vanishing.FRESH_T * vanishing.FRESH_N, axis=(1, 2))
    assert found.curve.median[0] == pytest.approx(np.median(last), rel=1e-12)
    assert found.T == vanishing.FRESH_T
    assert found.relative[0] == 1
    assert 0 <= found.saturated <= 1
    assert np.array_equal(fresh_text(10)[0], text[0][:10])


@given(st.floats(0.1, 2.5), st.integers(1, 12))
def test_a_copy_has_the_given_radius_and_matrices_without_a_radius_are_refused(radius, H):
    params = network(5, H, seed=H, dtype=np.float32)
    before = params.flat.copy()
    scaled = at_radius(params, radius)
    assert spectral_radius(scaled.W_hh) == pytest.approx(radius, rel=1e-6)
    assert np.array_equal(params.flat, before)
    assert np.array_equal(scaled.W_xh, params.W_xh.astype(np.float64))
    assert np.array_equal(at_radius(params, radius, spectral_radius(params.W_hh)).flat, scaled.flat)
    for value in (0.0, np.inf, np.nan):
        params.W_hh[...] = value
        with pytest.raises(ValueError):
            at_radius(params, 1.0)


def test_exploded_networks_and_those_without_gradient_give_nan():
    params = fresh_network()
    params.W_hq[...] = 0  # no state has an effect on any loss
    found = measure(params, fresh_text(4), activation="tanh")
    assert not found.curve.median.any()
    assert np.isnan(found.relative).all()
    params.W_hh[...] = np.inf
    found = measure(params, fresh_text(4), activation="relu")
    assert not np.isfinite(found.curve.median[1:]).any()
    assert np.isnan(found.rate)


@given(st.integers(1, 300), st.integers(1, 100), st.integers(1, 9))
def test_passages_are_disjoint_parts_of_the_text(length, T, N):
    tokens, targets = passages(places(length), T, N)
    assert tokens.shape == targets.shape
    assert len(tokens) == min(T, length)
    assert np.array_equal(tokens + 1, targets)
    assert np.array_equal(np.diff(tokens, axis=0), np.ones((len(tokens) - 1, tokens.shape[1])))
    assert len(np.unique(tokens)) == tokens.size


@given(st.integers(1, 100), st.integers(1, 8), st.sampled_from([1, 16, 128, 512, 1024, 4096]))
def test_the_size_of_a_measurement_is_limited(T, N, H):
    t, n = affordable(T, N, H)
    assert 1 <= t <= T
    assert 1 <= n <= N
    assert t * (t + 1) // 2 * n * H * H <= 1_200_000_000
    assert affordable(vanishing.FRESH_T, vanishing.FRESH_N, vanishing.FRESH_H) == (vanishing.FRESH_T, vanishing.FRESH_N)


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
    assert vanishing.limit_for_norm(np.ones(4), 2.0) == math.inf
    assert vanishing.limit_for_norm(np.zeros(4), 1.0) == math.inf
    assert vanishing.limit_for_norm(np.array([3.0, -3.0, 3.0, 3.0]), 2.0) == pytest.approx(1.0)


@given(st.floats(1e-9, math.pi - 1e-9))
def test_the_angle_is_exact_from_0_to_180_degrees(radians):
    a, b = np.array([1.0, 0.0]), 7 * np.array([math.cos(radians), math.sin(radians)])
    assert angle(a, b) == pytest.approx(math.degrees(radians), rel=1e-6)
    for bad in ([0.0, 0.0], [1.0, math.nan], [1.0, math.inf]):
        assert math.isnan(angle(np.array(bad), a))
