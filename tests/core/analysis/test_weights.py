"""Histograms of weights: every weight is in one bin, and the deviation is that of the definition."""

import math

import numpy as np
import pytest

from core.analysis.weights import BINS, spreads
from core.models.initialisation import INITIALISATIONS, init_params

V, H = 12, 20


def make(init="xavier", seed=0, **options):
    return init_params(V, H, init=init, rng=np.random.default_rng(seed), dtype=np.float64, **options)


@pytest.mark.parametrize("init", INITIALISATIONS)
@pytest.mark.parametrize("D", [0, 5])
def test_every_weight_is_counted_between_the_edges_it_lies_between(init, D):
    start, now = make(init, embedding_size=D), make("xavier", 1, embedding_size=D, gain=2.0)
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


def test_identity_is_two_bars():
    W_hh = next(one for one in spreads(make("identity"), make("identity")) if one.name == "W_hh")
    assert sorted(W_hh.start[W_hh.start > 0].tolist()) == [H, H * H - H]
    assert W_hh.start[BINS // 2] == H * H - H


def test_weights_that_are_zero_or_no_numbers_break_nothing():
    now = make(output_scale=0.0)
    now.W_hh[...] = np.nan
    by_name = {one.name: one for one in spreads(make(output_scale=0.0), now)}
    assert by_name["W_hh"].now.sum() == 0
    assert math.isnan(by_name["W_hh"].now_std)
    assert by_name["W_hq"].start[BINS // 2] == H * V
    assert by_name["W_hq"].start_std == 0
