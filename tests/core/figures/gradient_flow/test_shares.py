"""Where dW_hh comes from, as pictures: shares in per cent that sum to a hundred, and a sentence that follows from them."""

import json

import numpy as np
import pytest

from core.analysis.backward import go_back
from core.analysis.gradient_flow import recurrent_shares
from core.figures.gradient_flow.shares import shares_figure, shares_sentence, shares_triangle
from core.models.initialisation import init_params


def shares_of(T=12, output_scale=1.0, recurrent=1.0):
    rng = np.random.default_rng(0)
    params = init_params(5, 8, rng=rng)
    params.W_hq[...] *= output_scale
    params.W_hh[...] *= recurrent
    b = go_back(params, *rng.integers(0, 5, (2, T)))
    return recurrent_shares(b.trace, b.flow(vectors=True))


@pytest.mark.parametrize("T", [2, 12, 40])
def test_the_bars_sum_to_a_hundred(T):
    figure = shares_figure(shares_of(T), "a" * T, "<" * T)
    for bars in figure["data"]:
        assert sum(bars["y"]) == pytest.approx(100, abs=0.02 * T)
    assert "%" in figure["layout"]["yaxis"]["title"]["text"]
    assert "<br>" not in json.dumps(figure["data"])


def test_the_triangle_has_every_item():
    shares = shares_of()
    words = shares_triangle(shares, "a" * 12, "b" * 12)["words"]
    assert float(words[11][11]) == pytest.approx(shares.items[11, 11], rel=0.0051)


def test_without_memory_all_of_it_comes_from_the_step_s_own_loss():
    assert shares_sentence(shares_of(recurrent=0.0)).startswith("100 % of dW_hh comes from losses at most 0 steps later")


@pytest.mark.parametrize("T", [1, 12])
def test_where_there_is_no_gradient_that_is_said(T):
    shares = shares_of(T, output_scale=0.0)
    assert "no gradient" in shares_sentence(shares)
    json.dumps([shares_figure(shares, "a" * T, "b" * T), shares_triangle(shares, "a" * T, "b" * T)], allow_nan=False)


def test_steps_are_named_by_their_letters_where_all_are_letters():
    for inputs, named in ((list("abc"), 3), (["a", "bee", "c"], 0)):
        ticks = shares_figure(shares_of(3), inputs, inputs)["layout"]["xaxis"]["ticktext"]
        assert sum("<br>" in words for words in ticks) == named
