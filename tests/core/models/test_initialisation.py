import math

import numpy as np
import pytest

from core.models.initialisation import INITIALISATIONS, init_params, own_scales

V, H, D = 60, 200, 80


def make(init="xavier", **options):
    return init_params(V, H, init=init, rng=np.random.default_rng(3), **options)


@pytest.mark.parametrize("embedding_size", [0, D])
@pytest.mark.parametrize("init", INITIALISATIONS)
def test_standard_deviations(init, embedding_size):
    params = make(init, embedding_size=embedding_size)
    small = {"normal001": 0.01, "uniform001": 0.01 / math.sqrt(3)}.get(init)
    expected = {
        "W_xh": small or 1 / math.sqrt(embedding_size or H),
        "W_hq": small or 1 / math.sqrt(H),
        "W_emb": small or 0.01,
    } | ({} if init in ("orthogonal", "identity") else {"W_hh": small or 1 / math.sqrt(H)})
    for name, view in params.named().items():
        if name.startswith("b_"):
            assert not view.any()
        elif name in expected:
            assert view.std() == pytest.approx(expected[name], rel=0.05)
            assert abs(view.mean()) < 4 * expected[name] / math.sqrt(view.size)


@pytest.mark.parametrize("embedding_size", [0, D])
@pytest.mark.parametrize("init", INITIALISATIONS)
def test_its_own_scales_are_those_it_has_when_none_is_asked_for(init, embedding_size):
    of_input, of_output = own_scales(init, H, embedding_size)
    scaled = make(init, embedding_size=embedding_size, input_scale=of_input, output_scale=of_output)
    np.testing.assert_array_equal(scaled.flat, make(init, embedding_size=embedding_size).flat)


def test_special_recurrent_weights():
    np.testing.assert_array_equal(make("identity", gain=2.0).W_hh, 2 * np.eye(H))
    W = make("orthogonal", gain=0.5, dtype=np.float64).W_hh
    np.testing.assert_allclose(W.T @ W, 0.25 * np.eye(H), atol=1e-12)
    assert abs(make("uniform001").flat).max() <= 0.01


def test_scales_replace_a_standard_deviation_and_only_that():
    plain, scaled = make(), make(input_scale=0.5, output_scale=0.0)
    np.testing.assert_allclose(scaled.W_xh, plain.W_xh * 0.5 * math.sqrt(H), rtol=1e-5)
    np.testing.assert_array_equal(scaled.W_hh, plain.W_hh)
    assert not scaled.W_hq.any()


def test_both_precisions_begin_alike():
    np.testing.assert_array_equal(make(dtype=np.float64).flat.astype(np.float32), make().flat)


@pytest.mark.parametrize("wrong", [{"init": "zeros"}, {"embedding_size": -1}])
def test_what_makes_no_network_is_refused(wrong):
    with pytest.raises(ValueError):
        make(**wrong)
    with pytest.raises(ValueError):
        init_params(0, H, rng=np.random.default_rng(0))
