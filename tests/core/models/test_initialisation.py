import math

import numpy as np
import pytest

from core.models.initialisation import INITIALISATIONS, init_params, own_scales
from core.models.params import Params
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
