"""Every number of the Recurrent step page is the core's."""

import numpy as np

from core.analysis.recurrent_step.matrices import draw_matrices
from core.analysis.recurrent_step.order import difference, in_both_orders, weights_before_the_hidden_layer


def test_a_mean_loses_the_order_and_a_state_keeps_it():
    m = draw_matrices(7, 3, 4, np.random.default_rng(0))
    o = in_both_orders(m, 0, 1)
    assert difference(o.mean) == 0
    np.testing.assert_allclose(o.mean, np.tile([m.X[0], m.X[1]], (2, 1, 1)).mean(axis=1), rtol=1e-12)
    assert difference(o.joined) > 0
    assert difference(o.states) > 0
    first = np.tanh(m.X[:1] @ m.W_xh + m.b)
    np.testing.assert_allclose(o.states[:1], np.tanh(m.X[1:2] @ m.W_xh + first @ m.W_hh + m.b), rtol=1e-12)
    relu = in_both_orders(m, 0, 1, "relu").states
    assert relu.min() >= 0
    same = in_both_orders(m, 2, 2)
    assert difference(same.joined) == difference(same.states) == 0


def test_only_side_by_side_pays_for_every_word():
    two, ten = (weights_before_the_hidden_layer(3, 4, n) for n in (2, 10))
    assert (two["mean"], two["joined"], two["state"]) == (12, 24, 28)
    assert ten == two | {"joined": 120}
