"""Every number of the Recurrent step page is the core's."""

import numpy as np
import pytest

from core.analysis.recurrent_step.matrices import draw_matrices


@pytest.mark.parametrize("decimals", [1, 4])
def test_drawn_numbers_are_as_short_as_they_are_shown(decimals):
    m = draw_matrices(6, 6, 6, np.random.default_rng(1), decimals=decimals)
    for x in (m.X, m.W_xh, m.H, m.W_hh):
        np.testing.assert_array_equal(x, np.round(x, decimals))
    assert np.abs(m.H).max() < 1
