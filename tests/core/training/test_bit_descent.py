import numpy as np
import pytest

from core.training.experiments.bit_descent import BitDescent, descend
from core.training.experiments.bit_networks import FIRST_WEIGHTS
from core.training.experiments.bit_tasks import LARGEST_WEIGHT, echo, network, perplexity


def ended(steps) -> BitDescent:
    """The result of a generator."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


@pytest.mark.parametrize("units", [1, 2])
def test_it_begins_at_the_given_weights_and_names_the_perplexity_of_each(units):
    task = echo(1, 6)
    found = ended(descend(FIRST_WEIGHTS[units], task, 30))
    assert found.weights[0] == pytest.approx(FIRST_WEIGHTS[units])
    assert found.perplexities == pytest.approx([perplexity(network(numbers), task) for numbers in found.weights])
    assert found.perplexities[-1] < found.perplexities[0]


def test_it_finds_the_bit_just_read_from_the_start():
    found = ended(descend(FIRST_WEIGHTS[1], echo(0, 6)))
    assert found.perplexities[-1] < 1.02


def test_weights_stay_in_their_range():
    found = ended(descend((LARGEST_WEIGHT,) * 8, echo(0, 4), 20))
    assert np.abs(found.weights).max() <= LARGEST_WEIGHT


def test_from_all_zeros_only_the_bias_of_the_logits_could_move():
    """The state is zero and is not read, so that no derivative gets through."""
    found = ended(descend((0.0,) * 16, echo(1, 5), 20))
    assert found.perplexities == pytest.approx(np.full(21, 2.0))
