import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.training.optimizers import OPTIMIZERS, clip_by_global_norm, make_optimizer, norm

RATE = 0.01


def textbook(name, p, gradients):
    """The published update rules, one line each."""
    m, v, squares = 0.0, 0.0, 0.0
    for t, g in enumerate(gradients, 1):
        if name == "sgd":
            p = p - RATE * g
        elif name == "adagrad":
            squares = squares + g**2
            p = p - RATE * g / (np.sqrt(squares) + 1e-7)
        else:
            m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2
            p = p - RATE * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
    return p


@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("size", [1, 7, 5000])
def test_steps_are_the_textbooks(name, size):
    rng = np.random.default_rng(0)
    start, gradients = rng.standard_normal(size), [rng.standard_normal(size) * 10.0**-i for i in range(6)]
    p, optimizer = start.copy(), make_optimizer(name, size, np.float64)
    for g in gradients:
        optimizer.step(p, g.copy(), RATE)
    np.testing.assert_allclose(p, textbook(name, start, gradients), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_step_leaves_the_gradient_and_the_precision_alone(name):
    p, g = np.ones(5, np.float32), np.full(5, 0.5, np.float32)
    make_optimizer(name, 5).step(p, g, RATE)
    assert (g == 0.5).all()
    assert p.dtype == np.float32
    assert (p < 1).all()


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_no_gradient_no_step(name):
    p = np.ones(5, np.float32)
    make_optimizer(name, 5).step(p, np.zeros(5, np.float32), RATE)
    assert (p == 1).all()


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_its_state_is_all_that_it_remembers(name):
    rng = np.random.default_rng(0)
    first, second = make_optimizer(name, 9, np.float64), make_optimizer(name, 9, np.float64)
    p = np.ones(9)
    first.step(p, rng.standard_normal(9), RATE)
    for key, array in first.state.items():
        np.copyto(second.state[key], array)
    q, g = p.copy(), rng.standard_normal(9)
    first.step(p, g, RATE)
    second.step(q, g, RATE)
    np.testing.assert_array_equal(p, q)


def test_an_unknown_optimizer_is_refused():
    with pytest.raises(ValueError):
        make_optimizer("newton", 3)


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=30), st.floats(1e-3, 1e3))
def test_clipping_keeps_the_direction_and_bounds_the_length(values, limit):
    g = np.array(values)
    before = g.copy()
    length = clip_by_global_norm(g, limit)
    assert length == pytest.approx(math.sqrt((before**2).sum()), rel=1e-9, abs=1e-12)
    if length <= limit:
        np.testing.assert_array_equal(g, before)
    else:
        assert np.linalg.norm(g) == pytest.approx(limit)
        np.testing.assert_allclose(g * length, before * limit, rtol=1e-9, atol=1e-9)


def test_clipping_can_be_off():
    g = np.full(4, 100.0)
    assert clip_by_global_norm(g, 0.0) == 200
    assert (g == 100).all()


def test_a_finite_gradient_has_a_finite_length_in_float32_too():
    assert norm(np.full(4, 1e30, np.float32)) == pytest.approx(2e30, rel=1e-6)
    assert norm(np.full(4, 1e-30, np.float32)) == pytest.approx(2e-30, rel=1e-6)
    assert norm(np.zeros(3, np.float32)) == 0
    huge = np.full(4, 1e30, np.float32)
    clip_by_global_norm(huge, 1.0)
    np.testing.assert_allclose(huge, 0.5, rtol=1e-6)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_gradient_that_is_not_finite_has_no_finite_length_and_stays(value):
    g = np.array([1.0, value], np.float32)
    assert not math.isfinite(clip_by_global_norm(g, 1.0))
    assert g[0] == 1
