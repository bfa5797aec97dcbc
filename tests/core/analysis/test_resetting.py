import numpy as np
import pytest

from core.analysis.backward import go_back
from core.analysis.resetting import go_back_resetting, sizes_resetting, unroll_resetting
from core.analysis.unrolled import unroll
from core.models.params import Params
from tests.core.gradients import Problem, problem

T = 7
CASES = [problem(activation, N=1, T=T, D=D, seed=D) for activation, D in (("tanh", 0), ("relu", 3), ("sigmoid", 0))]


def single_window(p: Problem) -> tuple[Params, np.ndarray, np.ndarray]:
    return p.params, p.tokens[:, 0], p.targets[:, 0]


@pytest.mark.parametrize("p", CASES, ids=lambda p: p.activation)
@pytest.mark.parametrize("tau", [1, 2, 3, 7, 9])
def test_every_block_is_a_window_of_its_own(p, tau):
    params, tokens, targets = single_window(p)
    u = unroll_resetting(params, tokens, targets, tau, activation=p.activation)
    b = go_back_resetting(params, u, tau)
    sizes = sizes_resetting(b, tau)
    for start in range(0, T, tau):
        block = slice(start, start + tau)
        alone = unroll(params, tokens[block], targets[block], activation=p.activation)
        back = go_back(params, tokens[block], targets[block], activation=p.activation)
        for name in ("a", "from_input", "from_memory", "logits", "p", "losses"):
            np.testing.assert_allclose(getattr(u, name)[block], getattr(alone, name), rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(u.h[1:][block], alone.h[1:], rtol=1e-12)
        for name in ("from_loss", "from_future", "dh", "da"):
            np.testing.assert_allclose(getattr(b, name)[block], getattr(back, name), rtol=1e-9, atol=1e-14)
        np.testing.assert_allclose(sizes[block, block], back.flow().norms, rtol=1e-9)
        assert (sizes[block, :start] == 0).all()


def test_one_block_of_the_whole_length_is_the_window_and_none_is_empty():
    params, tokens, targets = single_window(CASES[0])
    u, whole = unroll_resetting(params, tokens, targets, T), unroll(params, tokens, targets)
    np.testing.assert_array_equal(u.h, whole.h)
    assert (unroll_resetting(params, tokens, targets, 3).h[4] != whole.h[4]).any()
    with pytest.raises(ValueError):
        unroll_resetting(params, tokens, targets, 0)
