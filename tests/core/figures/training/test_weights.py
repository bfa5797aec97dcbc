"""The histograms of the weights: axes with their units, and nothing but numbers and gaps."""

import math

import numpy as np
import pytest

from core.analysis.weights import spreads
from core.figures.training.weights import weights_figure, weights_words
from core.models.initialisation import INITIALISATIONS, init_params


@pytest.mark.parametrize("init", INITIALISATIONS)
def test_both_moments_are_drawn_and_their_deviations_are_said(init):
    start, now = (init_params(9, 8, embedding_size=3, init=init, rng=np.random.default_rng(seed)) for seed in (0, 1))
    now.W_hq[...] = np.inf
    for spread in spreads(start, now):
        figure = weights_figure(spread)
        assert figure["layout"]["xaxis"]["title"]["text"]
        assert figure["layout"]["yaxis"]["title"]["text"]
        before, after = figure["data"]
        assert before["line"]["dash"] != after["line"]["dash"]
        assert all(math.isfinite(value) for curve in (before, after) for value in (*curve["x"], *curve["y"]))
        for curve, counts in ((before, spread.start), (after, spread.now)):
            assert [round(10**height) if height >= 0 else 0 for height in curve["y"][1:-1]] == counts.tolist()
            assert (curve["x"][0], curve["x"][-1]) == (pytest.approx(spread.edges[0]), pytest.approx(spread.edges[-1]))
        assert f"{spread.start_std:.3g}"[:4] in figure["layout"]["annotations"][0]["text"]
        assert spread.name in weights_words(spread)
