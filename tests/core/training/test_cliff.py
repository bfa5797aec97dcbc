import autograd
import autograd.numpy as anp
import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.models.loss import cross_entropy
from core.models.rnn import forward
from core.training.experiments.cliff import (
    BIASES,
    DESCENT_RATE,
    JUDGED_AFTER,
    LOWEST,
    NEAR,
    SHARE,
    UPDATES,
    W_HQ,
    WEIGHT_ENDS,
    descend,
    grid,
    loss_and_gradient,
    loss_surface,
    network,
    of_many,
    starts_that_arrive,
)
from tests.core.gradients import worst_along_directions


def last_loss(bias: float, weight: float, T: int) -> float:
    """The mean loss of the last step of ten sequences, of which seven go on with token 1, from a forward pass alone."""
    tokens = np.zeros((T, 10), np.int64)
    targets = np.zeros_like(tokens)
    targets[:, :7] = 1
    return float(cross_entropy(forward(network(bias, weight), tokens).logits, targets)[-1].mean())


def by_autograd(bias: float, weight: float, T: int) -> np.ndarray:
    def loss(place):
        h = 0.0
        for _t in range(T):
            h = anp.tanh(place[1] * h + place[0])
        return SHARE * anp.log(1 + anp.exp(-2 * W_HQ * h)) + (1 - SHARE) * anp.log(1 + anp.exp(2 * W_HQ * h))

    return autograd.grad(loss)(np.array([bias, weight]))


def ended(steps) -> dict:
    """The result of a generator."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def shares(T: int, clip_norm: float, side: int) -> tuple[dict, dict]:
    return ended(starts_that_arrive(T, 0.0, side)), ended(starts_that_arrive(T, clip_norm, side))


@pytest.mark.parametrize("T", [1, 2, 5, 20])
@given(st.floats(-0.6, 1.0), st.floats(0.4, 1.5))
def test_the_gradient_is_that_of_differences_and_of_another_engine(T, bias, weight):
    loss, gradient = loss_and_gradient(bias, weight, T)
    assert loss == pytest.approx(last_loss(bias, weight, T), rel=1e-12)
    assert gradient == pytest.approx(by_autograd(bias, weight, T), rel=1e-8, abs=1e-12)
    if np.linalg.norm(gradient) < 1e-4:  # lost in the rounding of differences
        return
    steep = min(1e-4, 1e-3 * max(weight, 1) ** -T)  # the wall is as thin as this power
    assert worst_along_directions(lambda p: last_loss(*p, T), np.array([bias, weight]), gradient, eps=steep) < 1e-4


@pytest.mark.parametrize("T", [1, 20, 50])
def test_many_networks_at_once_are_the_network_of_training(T):
    rng = np.random.default_rng(1)
    biases, weights = rng.uniform(-3, 3, 40), rng.uniform(-1, 2.5, 40)
    found = np.array(of_many(biases, weights, T))
    for i, place in enumerate(zip(biases, weights, strict=True)):
        loss, gradient = loss_and_gradient(*place, T)
        assert found[:, i] == pytest.approx([loss, *gradient], rel=1e-7, abs=1e-12)


def test_the_lowest_loss_of_the_surface_is_the_entropy_of_the_targets():
    surface = loss_surface(20)
    for row, column in ((0, 0), (10, 30), (64, 31), (40, 80)):
        assert surface.losses[row, column] == pytest.approx(last_loss(surface.biases[column], surface.weights[row], 20), rel=1e-9)
    assert pytest.approx(0.611, abs=5e-4) == LOWEST
    assert LOWEST <= surface.losses.min() < LOWEST + 1e-3


def test_there_is_a_cliff_above_a_weight_of_one_and_none_below():
    surface = loss_surface(20)
    drops = np.abs(np.diff(surface.losses, axis=1)).max(axis=1)
    assert drops[surface.weights > 1.3].min() > 0.6
    assert drops[surface.weights < 0.8].max() < 0.15


def test_without_clipping_a_step_leaves_the_map_with_it_the_lowest_loss_is_found():
    free, clipped = descend(0.4, 1.4, 20), descend(0.4, 1.4, 20, 1.0)
    assert free.steepest + 1 == free.left == 12
    assert free.norms[free.steepest] == pytest.approx(46.1, abs=0.05)
    assert free.places[12, 0] == pytest.approx(4.59, abs=0.01)
    assert free.losses[-1] == pytest.approx(1.22, abs=0.01)
    assert free.norms[-1] < 1e-3
    assert clipped.lengths.max() == pytest.approx(DESCENT_RATE)
    assert clipped.left is None
    assert clipped.losses[-1] == pytest.approx(LOWEST, abs=1e-3)
    assert (free.arrived, clipped.arrived) == (False, True)


@given(st.floats(-0.6, 1.0), st.floats(0.4, 2.0), st.sampled_from([1, 5, 50]), st.sampled_from([0.0, 0.1, 100.0]))
def test_every_path_is_gradient_descent_and_stays_finite(bias, weight, T, clip_norm):
    found = descend(bias, weight, T, clip_norm)
    assert len(found.losses) == len(found.norms) == len(found.places) == UPDATES + 1
    assert np.isfinite(found.places).all()
    assert np.isfinite(found.losses).all()
    shortened = np.minimum(found.norms, clip_norm) if clip_norm else found.norms
    assert found.lengths == pytest.approx(DESCENT_RATE * shortened[:-1], rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("clip_norm", [0.0, 1.0])
def test_the_map_of_starts_is_that_of_single_descents(clip_norm):
    found = ended(starts_that_arrive(5, clip_norm, 4))
    for i, weight in enumerate(np.linspace(*WEIGHT_ENDS, 4)):
        for j, bias in enumerate(np.linspace(*BIASES, 4)):
            for updates in JUDGED_AFTER:
                assert found[updates][i, j] == (descend(bias, weight, 5, clip_norm, updates).losses[-1] <= LOWEST + NEAR)


def test_clipping_saves_starts_that_are_thrown_off_the_map_and_is_slow_on_plateaus():
    """At T = 20 and a clip norm of 1, as is said on the page and in its documentation."""
    free, clipped = shares(20, 1.0, 41)
    soon, late = JUDGED_AFTER
    assert 0.78 < free[soon].mean() < 0.83
    assert 0.83 < clipped[soon].mean() < 0.88
    assert 0.09 < (~free[soon] & ~clipped[soon]).mean() < 0.13
    assert 0.92 < free[late].mean() < 0.96
    assert clipped[late].all()
    assert grid(3, 3)[0].tolist() == pytest.approx([-0.6, 0.2, 1.0])
