import numpy as np
import pytest

from core.analysis.backward import go_back
from core.analysis.branches import from_future, from_loss
from tests.core.gradients import problem


@pytest.mark.parametrize(("H", "N"), [(6, 3), (6, 1), (136, 64)])
@pytest.mark.parametrize("truncation", [None, 1, 2, 4], ids=lambda tau: f"tau={tau}")
def test_the_gradient_of_a_state_is_that_of_its_loss_plus_the_future(truncation, H, N):
    p = problem(H=H, N=N)
    g = p.gradients(truncation)
    future = from_future(g)
    np.testing.assert_allclose(from_loss(g) + future[1:], g.h, rtol=1e-12, atol=1e-16)
    np.testing.assert_allclose(from_loss(g), p.gradients(1).h, rtol=1e-12)
    assert not future[-1].any()
    for t in range(1, len(g.h)):
        assert future[t].any() == (truncation is None or t % truncation != 0)


def test_an_exploded_network_raises_nothing():
    p = problem("relu")
    p.params.W_hh[:] = 1e200
    g = p.gradients()
    assert from_future(g).shape == (7, 3, 6)
    assert from_loss(g).shape == (6, 3, 6)
    b = go_back(p.params, p.tokens[:, 0], p.targets[:, 0], activation="relu")
    assert len(b.piece_sizes) == len(b.recurrent_sizes) == 6
    assert not np.isfinite(b.recurrent_sizes).all()
