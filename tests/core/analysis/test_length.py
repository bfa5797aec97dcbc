"""The likelihood of a growing text falls; the average per token need not."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.length import growing, log_places
from core.models.loss import perplexity


@given(st.lists(st.floats(0.0, 30.0), min_size=1, max_size=30).map(np.array))
def test_a_prefix_is_the_product_of_its_tokens(nats):
    grown = growing(nats)
    assert (np.diff(grown.log10_likelihood) <= 0).all()
    assert grown.log10_likelihood[-1] == pytest.approx(sum(math.log10(p) for p in np.exp(-nats)), abs=1e-9)
    assert np.prod(grown.p) == pytest.approx(10 ** grown.log10_likelihood[-1], rel=1e-9)
    assert grown.perplexity[-1] == pytest.approx(perplexity(nats))
    assert grown.mean_nats[0] == nats[0]


def test_an_impossible_token_ends_it():
    grown = growing(np.array([1.0, math.inf, 2.0]))
    assert grown.log10_likelihood.tolist()[1:] == [-math.inf, -math.inf]
    assert grown.perplexity.tolist()[1:] == [math.inf, math.inf]


@pytest.mark.parametrize("length", [0, 1, 2, 7, 100, 8192])
def test_places_are_few_and_hold_both_ends(length):
    places = log_places(length)
    assert len(places) <= 60 * max(1, math.log10(max(length, 1))) + 2
    assert (np.diff(places) > 0).all()
    assert not length or (places[0] == 0 and places[-1] == length - 1)
