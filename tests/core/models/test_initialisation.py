import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.models.initialisation import INITIALISATIONS, init_params, own_scales, scale_to_radius, spectral_radius
from core.models.params import Params, count
from tests.core.networks import network

V, H, D = 60, 200, 80


def drawn(init: str = "xavier", D: int = 0, **options) -> Params:
    return network(V, H, D, seed=3, init=init, **{"dtype": np.float32} | options)


@pytest.mark.parametrize("embedding_size", [0, D])
@pytest.mark.parametrize("init", INITIALISATIONS)
def test_standard_deviations_are_the_own_scales_in_both_precisions(init, embedding_size):
    small = {"normal001": 0.01, "uniform001": 0.01 / math.sqrt(3)}.get(init)
    n_in, glorot = embedding_size or V, init == "glorot"
    expected = {
        "W_xh": small or (math.sqrt(2 / (n_in + H)) if glorot else 1 / math.sqrt(embedding_size or H)),
        "W_hq": small or (math.sqrt(2 / (H + V)) if glorot else 1 / math.sqrt(H)),
        "W_emb": small or 0.01,
    } | ({} if init in ("orthogonal", "identity") else {"W_hh": small or 1 / math.sqrt(H)})
    for name, view in drawn(init, embedding_size).named().items():
        if name.startswith("b_"):
            assert not view.any()
        elif name in expected:
            assert view.std() == pytest.approx(expected[name], rel=0.05)
            assert abs(view.mean()) < 4 * expected[name] / math.sqrt(view.size)
    of_input, of_output = own_scales(init, V, H, embedding_size)
    scaled = drawn(init, embedding_size, input_scale=of_input, output_scale=of_output)
    np.testing.assert_array_equal(scaled.flat, drawn(init, embedding_size).flat)
    np.testing.assert_array_equal(drawn(init, embedding_size, dtype=np.float64).flat.astype(np.float32), scaled.flat)


def test_special_recurrent_weights():
    np.testing.assert_array_equal(drawn("identity", gain=2.0).W_hh, 2 * np.eye(H))
    W = drawn("orthogonal", gain=0.5, dtype=np.float64).W_hh
    np.testing.assert_allclose(W.T @ W, 0.25 * np.eye(H), atol=1e-12)
    assert abs(drawn("uniform001").flat).max() <= 0.01


def test_scales_replace_the_standard_deviation_of_their_own_weights_only():
    plain, scaled = drawn(), drawn(input_scale=0.5, output_scale=0.0)
    np.testing.assert_allclose(scaled.W_xh, plain.W_xh * 0.5 * math.sqrt(H), rtol=1e-5)
    np.testing.assert_array_equal(scaled.W_hh, plain.W_hh)
    assert not scaled.W_hq.any()


@pytest.mark.parametrize("wrong", [{"init": "zeros"}, {"embedding_size": -1}, {"vocab_size": 0}])
def test_invalid_sizes_and_initialisations_are_refused(wrong):
    with pytest.raises(ValueError):
        init_params(**{"vocab_size": V, "hidden_size": H, "rng": np.random.default_rng(0)} | wrong)


def matrix(H: int = 9, seed: int = 0, dtype: type = np.float64) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((H, H)).astype(dtype)


def test_spectral_radius_is_the_growth_per_step_of_high_powers():
    W = matrix()
    W = W @ W.T  # real eigenvalues: the growth per power converges
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


def test_names_and_shapes():
    shapes = {name: view.shape for name, view in network(V, H, D).named().items()}
    assert shapes == {"W_xh": (D, H), "W_hh": (H, H), "b_h": (H,), "W_hq": (H, V), "b_q": (V,), "W_emb": (V, D)}
    assert network(V, H).W_emb is None
    assert network(V, H).W_xh.shape == (V, H)
    assert count(V, H, D) == network(V, H, D).flat.size


@pytest.mark.parametrize("params", [network(V, H, D), network(V, H)], ids=["embedding", "one-hot"])
def test_every_weight_is_a_view_of_one_vector(params):
    views = params.named().values()
    np.testing.assert_array_equal(params.flat, np.concatenate([view.ravel() for view in views]))
    for i, view in enumerate(views):
        view[...] = i
    assert set(params.flat) == set(range(len(views)))
    with pytest.raises(ValueError):
        params.with_flat(np.zeros(3))
    with pytest.raises(ValueError):
        Params.over(np.zeros(9), V, H)
