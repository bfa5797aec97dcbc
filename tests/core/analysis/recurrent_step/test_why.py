"""Every number of the Recurrent step page is the core's."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.recurrent_step.why import growth, never_seen, two_gram_factors
from core.models.params import Params
from core.text.corpus import Stream


@pytest.mark.parametrize("D", [0, 5])
def test_growth_counts_what_a_network_has(D):
    V, H = 11, 7
    g = growth(V, H, D)
    assert g.rnn == Params.zeros(V, H, D).flat.size
    assert g.table[:3] == [V, V**2, V**3]
    assert g.window[1] == g.rnn - H * H  # with one token to look at, the window network is the one without a state
    assert {b - a for a, b in zip(g.window, g.window[1:], strict=False)} == {(D or V) * H}


@given(st.lists(st.integers(0, 2), min_size=2, max_size=60), st.lists(st.integers(0, 2), min_size=2, max_size=30))
def test_never_seen_is_what_a_set_says(train, judged):
    shares = never_seen(stream(train), stream(judged), 3, longest=4)
    for n, share in enumerate(shares, 1):
        grams = [tuple(judged[i : i + n]) for i in range(len(judged) - n + 1)]
        known = {tuple(train[i : i + n]) for i in range(len(train) - n + 1)}
        if grams:
            assert share == pytest.approx(np.mean([gram not in known for gram in grams]))
        else:
            assert np.isnan(share)


@given(st.lists(st.integers(0, 2), min_size=2, max_size=60), st.data())
def test_the_factors_of_a_two_gram_product_are_counts(train, data):
    at = data.draw(st.integers(0, len(train) - 2))
    piece = train[at : at + 3][: len(train) - 1 - at]
    factors = two_gram_factors(stream(train), np.array(piece))
    assert factors[0] == (train[:-1].count(piece[0]), len(train) - 1)
    for (a, b), (often, of) in zip(pairwise(piece), factors[1:], strict=True):
        followers = [after for here, after in pairwise(train) if here == a]
        assert (often, of) == (followers.count(b), len(followers))
        assert often > 0


def stream(tokens):
    ids = np.array(tokens, np.int32)
    return Stream(ids[:-1], ids[1:])
