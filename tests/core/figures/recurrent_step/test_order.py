"""Both orders are compared in words."""

import json

import numpy as np

from core.analysis.recurrent_step.matrices import draw_matrices
from core.analysis.recurrent_step.order import in_both_orders, weights_before_the_hidden_layer
from core.figures.recurrent_step.order import order_scene, order_words


def test_both_orders_are_compared_in_words():
    m = draw_matrices(7, 3, 4, np.random.default_rng(0))
    scene = order_scene(in_both_orders(m, 0, 1), ("you", "say"))
    assert [equation["items"][-2] for equation in scene["equations"]] == ["=", "≠", "≠"]
    assert "lost" in scene["equations"][0]["words"]
    same = order_scene(in_both_orders(m, 3, 3), ("and", "and"))
    assert all("only one order" in equation["words"] for equation in same["equations"])  # so none of the ways can lose it
    assert "CBOW" in scene["equations"][0]["second"]
    prices = {n: weights_before_the_hidden_layer(3, 4, n) for n in (2, 10)}
    json.dumps([scene, same])
    assert [card["rows"][1][1] for card in order_words(prices)] == ["12", "120", "28"]
