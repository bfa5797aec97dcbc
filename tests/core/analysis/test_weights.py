import math

import numpy as np
import pytest

from core.analysis.weights import BINS, spreads
from core.models.initialisation import INITIALISATIONS
from core.models.params import Params
from tests.core.networks import network

V, H = 12, 20


def make(init: str = "xavier", seed: int = 0, D: int = 0, **options: float) -> Params:
    return network(V, H, D, seed, init=init, **options)


@pytest.mark.parametrize("init", INITIALISATIONS)
@pytest.mark.parametrize("D", [0, 5])
def test_counts_and_deviations_are_those_of_the_weights(init, D):
    start, now = make(init, D=D), make("xavier", 1, D=D, gain=2.0)
    found = spreads(start, now)
    assert [one.name for one in found] == [name for name in start.named() if name.startswith("W")]
    for one in found:
        assert one.edges.shape == (BINS + 1,)
        np.testing.assert_allclose(one.edges, -one.edges[::-1], atol=1e-15)
        for params, counts, std in ((start, one.start, one.start_std), (now, one.now, one.now_std)):
            values = params.named()[one.name].ravel().tolist()
            inside = [sum(low <= value < high for value in values) for low, high in zip(one.edges, one.edges[1:], strict=False)]
            assert counts.tolist() == inside
            assert sum(inside) == len(values)
            mean = math.fsum(values) / len(values)
            assert std == pytest.approx(math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values)))


def test_weights_of_the_identity_and_of_zero_and_nan():
    start, now = make("identity", output_scale=0.0), make()
    now.W_hh[...] = np.nan
    found = {one.name: one for one in spreads(start, now)}
    counts = found["W_hh"].start
    assert sorted(counts[counts > 0].tolist()) == [H, H * H - H]
    assert counts[BINS // 2] == H * H - H
    assert found["W_hh"].now.sum() == 0
    assert math.isnan(found["W_hh"].now_std)
    assert found["W_hq"].start[BINS // 2] == H * V
    assert found["W_hq"].start_std == 0
