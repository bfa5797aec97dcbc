"""Every number of the Recurrent step page is the core's."""

import numpy as np
import pytest

from core.analysis.recurrent_step.matrices import draw_matrices


@pytest.mark.parametrize("decimals", [1, 4])
def test_drawn_numbers_are_as_short_as_they_are_shown(decimals):
    m = draw_matrices(6, 6, 6, np.random.default_rng(1), decimals=decimals)
    for x in (m.X, m.W_xh, m.H, m.W_hh, m.b):
        np.testing.assert_array_equal(x, np.round(x, decimals))
    assert np.abs(m.H).max() < 1


@pytest.mark.parametrize(("activation", "low", "high"), [("tanh", -1, 1), ("sigmoid", 0, 1), ("relu", 0, np.inf)])
def test_states_are_such_as_the_activation_gives(activation, low, high):
    m = draw_matrices(6, 6, 6, np.random.default_rng(1), activation=activation)
    assert low <= m.H.min() < m.H.max() < high
