import numpy as np
import pytest

from core.models.initialisation import init_params
from core.models.params import Params, count

V, H, D = 60, 200, 80


def make(init="xavier", **options):
    return init_params(V, H, init=init, rng=np.random.default_rng(3), **options)


def test_names_and_shapes():
    shapes = {name: view.shape for name, view in make(embedding_size=D).named().items()}
    assert shapes == {"W_xh": (D, H), "W_hh": (H, H), "b_h": (H,), "W_hq": (H, V), "b_q": (V,), "W_emb": (V, D)}
    assert make().W_emb is None
    assert make().W_xh.shape == (V, H)


def test_every_weight_is_a_view_of_one_vector():
    params = make(embedding_size=D)
    assert params.flat.size == count(V, H, D) == sum(view.size for view in params.named().values())
    for i, view in enumerate(params.named().values()):
        view[...] = i
    assert set(params.flat) == set(range(6))
    params.flat[:] = 7
    assert all((view == 7).all() for view in params.named().values())


def test_copies_are_independent_and_published_ones_read_only():
    params = make()
    copy, published = params.copy(), params.frozen_copy()
    params.flat[:] = 0
    assert copy.flat.any()
    assert published.W_hq.any()
    with pytest.raises(ValueError):
        published.W_hh[0, 0] = 1


def test_a_vector_of_another_size_is_refused():
    with pytest.raises(ValueError):
        Params.over(np.zeros(9), V, H)
