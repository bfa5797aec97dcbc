import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.analysis import gradient_check
from core.analysis.gradient_check import GradientCheck, block_maxima, check_weight
from core.models.layers import ACTIVATIONS
from tests.core.gradients import Problem, problem

INDEX = {"W_xh": (1, 2), "W_hh": (3, 0), "b_h": (4,), "W_hq": (2, 5), "b_q": (6,), "W_emb": (1, 1)}


def check(p: Problem, name: str, index: tuple[int, ...] | None = None) -> GradientCheck:
    return check_weight(p.params, p.tokens, p.targets, name, index or INDEX[name], activation=p.activation)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("name", INDEX)
def test_numeric_and_analytic_agree_to_many_digits(activation, name):
    p = problem(activation, D=3, carried=False, T=4)
    found = check(p, name, (int(p.tokens[0, 0]), 1) if name == "W_emb" else None)
    assert found.analytic == p.gradients().dparams.named()[name][found.index]
    assert found.relative[found.best] < 1e-7
    assert found.weight == p.params.named()[name][found.index]


def test_the_error_falls_with_the_square_of_eps_and_a_wrong_derivative_is_found(monkeypatch):
    found = check(problem(carried=False), "W_hh")
    assert found.relative[0] / found.relative[2] == pytest.approx(1e4, rel=0.5)
    assert found.relative[-1] > 10 * found.relative[found.best]
    assert 0 < found.best < len(found.epsilons) - 1
    monkeypatch.setattr(gradient_check, "backward", lambda *_: problem(seed=5, carried=False).gradients())
    assert check(problem(carried=False), "W_hh").relative.min() > 1e-3 > found.relative.min()


def test_unused_weights_have_no_gradient_and_non_finite_ones_give_nan():
    p = problem(carried=False, V=20, T=2, N=1)
    unseen = next(i for i in range(20) if i not in p.tokens)
    found = check(p, "W_xh", (unseen, 0))
    assert found.analytic == 0
    assert not found.numeric.any()
    assert not found.relative.any()
    p.params.W_hh[0, 0] = np.nan
    found = check(p, "W_hh", (1, 1))
    assert np.isnan(found.relative).all()
    assert found.best == 0


def test_float32_is_checked_in_float64_and_not_changed():
    p = problem(carried=False)
    narrow = p.params.copy(np.float32)
    before = narrow.flat.copy()
    found = check_weight(narrow, p.tokens, p.targets, "W_hh", (0, 0))
    assert found.relative[found.best] < 1e-7
    assert np.array_equal(narrow.flat, before)


def test_an_index_outside_the_weights_is_refused():
    for name, index in (("W_hh", (6, 0)), ("W_hh", (-1, 0)), ("b_h", (0, 0)), ("W_emb", (0, 0)), ("flat", (0,))):
        with pytest.raises(ValueError):
            check(problem(carried=False), name, index)


@given(st.integers(1, 30), st.integers(1, 30), st.integers(1, 12))
def test_blocks_cover_the_matrix_and_have_the_largest_value_of_each(rows, columns, most):
    gradient = np.random.default_rng(rows * columns).standard_normal((rows, columns))
    blocks = block_maxima(gradient, most)
    assert max(blocks.values.shape) <= most
    assert np.array_equal(blocks.values, gradient[blocks.rows, blocks.columns])
    assert np.abs(blocks.values).max() == np.abs(gradient).max()
    assert len({*zip(blocks.rows.flat, blocks.columns.flat, strict=True)}) == blocks.values.size
    if max(rows, columns) <= most:
        assert np.array_equal(blocks.values, gradient)
    gradient[-1, -1] = np.nan
    assert np.isnan(block_maxima(gradient, most).values[-1, -1])
