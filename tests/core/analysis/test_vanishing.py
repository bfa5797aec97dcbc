"""What is known about the fresh network comes out of the measurement; the radius is what was asked for; any text will do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.branches import from_loss
from core.analysis.vanishing import (
    FRESH_H,
    FRESH_N,
    FRESH_T,
    affordable,
    at_radius,
    fresh_network,
    fresh_text,
    measure,
    passages,
)
from core.models.initialisation import init_params
from core.models.rnn import backward, forward
from core.models.spectral_radius import spectral_radius
from core.text.corpus import Stream

KNOWN = {0.5: -10.2, 0.9: -2.26, 1.0: -1.08, 1.1: -0.41, 1.5: 0.55, 2.0: 1.78}  # mean log10 of the ratio over 32 steps


@pytest.fixture(scope="module")
def ratios():
    """log10 |d L_t / d h_(t-32)| / |d L_t / d h_t| by radius, for eight seeds."""
    fresh = [(fresh_network(seed), fresh_text(seed=seed)) for seed in range(8)]
    natural = [spectral_radius(params.W_hh) for params, _ in fresh]
    pairs = list(zip(fresh, natural, strict=True))
    return {
        radius: [
            float(np.log10(measure(at_radius(params, radius, had), text, activation="tanh").relative[32]))
            for (params, text), had in pairs
        ]
        for radius in KNOWN
    }


@pytest.mark.parametrize("radius", KNOWN)
def test_a_fresh_network_fades_as_is_known(ratios, radius):
    assert np.mean(ratios[radius]) == pytest.approx(KNOWN[radius], abs=0.5)


def test_it_still_vanishes_just_above_one_and_explodes_at_two(ratios):
    assert all(ratio < 0 for ratio in ratios[1.1])
    assert all(ratio > 0.5 for ratio in ratios[2.0])


def test_the_measurement_is_of_the_network_s_own_backward_pass():
    params, text = at_radius(fresh_network(), 1.1), fresh_text()
    found = measure(params, text, activation="tanh")
    trace = forward(params, text[0])
    g = backward(trace, text[1])
    assert np.array_equal(found.gradient, g.params.flat)
    last = np.linalg.norm(from_loss(g) * FRESH_T * FRESH_N, axis=(1, 2))
    assert found.curve.median[0] == pytest.approx(np.median(last), rel=1e-12)
    assert found.T == FRESH_T
    assert found.relative[0] == 1
    assert 0 <= found.saturated <= 1


@given(st.floats(0.1, 2.5), st.integers(1, 12))
def test_the_copy_has_the_radius_asked_for_and_the_original_is_left_alone(radius, H):
    params = init_params(5, H, rng=np.random.default_rng(H))
    before = params.flat.copy()
    scaled = at_radius(params, radius)
    assert spectral_radius(scaled.W_hh) == pytest.approx(radius, rel=1e-6)
    assert np.array_equal(params.flat, before)
    assert np.array_equal(scaled.W_xh, params.W_xh.astype(np.float64))
    assert np.array_equal(at_radius(params, radius, spectral_radius(params.W_hh)).flat, scaled.flat)


@pytest.mark.parametrize("value", [0.0, np.inf, np.nan])
def test_what_has_no_radius_cannot_be_scaled(value):
    params = fresh_network()
    params.W_hh[...] = value
    with pytest.raises(ValueError):
        at_radius(params, 1.0)


@pytest.mark.parametrize("activation", ["tanh", "relu", "sigmoid"])
@pytest.mark.parametrize(("V", "H", "T"), [(2, 1, 1), (2, 1, 5), (3, 2, 1)])
def test_the_smallest_networks_are_measured_too(activation, V, H, T):
    rng = np.random.default_rng(1)
    found = measure(init_params(V, H, rng=rng), tuple(rng.integers(0, V, (2, T, 1))), activation=activation)
    assert found.T == T
    assert np.isnan(found.rate) == (T == 1 or not (found.curve.median > 0).sum() > 1)


def test_an_exploded_network_and_one_without_gradient_give_no_false_numbers():
    params = fresh_network()
    params.W_hq[...] = 0  # no loss moves any state
    found = measure(params, fresh_text(4), activation="tanh")
    assert not found.curve.median.any()
    assert np.isnan(found.relative).all()
    params.W_hh[...] = np.inf
    found = measure(params, fresh_text(4), activation="relu")
    assert not np.isfinite(found.curve.median[1:]).any()
    assert np.isnan(found.rate)


@given(st.integers(1, 300), st.integers(1, 100), st.integers(1, 9))
def test_passages_lie_in_the_text_apart_where_they_can(length, T, N):
    ids = np.arange(length + 1, dtype=np.int32)
    tokens, targets = passages(Stream(ids[:-1], ids[1:]), T, N)
    assert tokens.shape == targets.shape
    assert len(tokens) == min(T, length)
    assert np.array_equal(tokens + 1, targets)
    assert np.array_equal(np.diff(tokens, axis=0), np.ones((len(tokens) - 1, tokens.shape[1])))
    assert len(np.unique(tokens)) == tokens.size


@given(st.integers(1, 100), st.integers(1, 8), st.sampled_from([1, 16, 128, 512, 1024, 4096]))
def test_no_sweep_is_larger_than_what_others_can_wait_for(T, N, H):
    t, n = affordable(T, N, H)
    assert 1 <= t <= T
    assert 1 <= n <= N
    assert t * (t + 1) // 2 * n * H * H <= 1_300_000_000 or t == 1


def test_the_fresh_network_has_its_full_set_up():
    assert affordable(FRESH_T, FRESH_N, FRESH_H) == (FRESH_T, FRESH_N)
    assert np.array_equal(fresh_text(10)[0], fresh_text(64)[0][:10])
