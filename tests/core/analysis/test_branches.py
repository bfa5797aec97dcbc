"""The two branches of dh are what training adds up: in every network, and with every truncation."""

import numpy as np
import pytest

from core.analysis.branches import from_future, from_loss
from tests.core.gradients import problem

truncations = pytest.mark.parametrize("truncation", [None, 1, 2, 4], ids=lambda tau: f"tau={tau}")


@pytest.mark.parametrize(("H", "N"), [(6, 3), (6, 1), (136, 64)])
@truncations
def test_a_states_gradient_is_its_own_loss_plus_the_future(truncation, H, N):
    p = problem(H=H, N=N)
    g = p.gradients(truncation)
    future = from_future(g)
    np.testing.assert_allclose(from_loss(g) + future[1:], g.h, rtol=1e-12, atol=1e-16)
    assert not future[-1].any()
    for t in range(1, len(g.h)):
        assert future[t].any() == (truncation is None or t % truncation != 0)


def test_the_own_losss_part_is_what_truncation_to_one_step_leaves():
    p = problem()
    np.testing.assert_allclose(p.gradients(1).h, from_loss(p.gradients()), rtol=1e-12)


def test_an_exploded_network_has_branches_without_a_warning():
    p = problem()
    p.params.W_hh[:] = 1e200
    g = p.gradients()
    assert from_future(g).shape == (7, 3, 6)
    assert from_loss(g).shape == (6, 3, 6)
