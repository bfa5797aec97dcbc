import numpy as np
import pytest

from core.models.params import Params, count
from tests.core.networks import network

V, H, D = 60, 200, 80


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
