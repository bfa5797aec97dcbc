import numpy as np
import pytest

from core.training.experiments.bit_descent import descend
from core.training.experiments.bit_networks import (
    BEST_FOUND,
    FIRST_WEIGHTS,
    HOLDS,
    WORKED_OUT,
    in_two_units,
    is_worked_out,
    one_unit_can,
    solution,
)
from core.training.experiments.bit_tasks import LARGEST_WEIGHT, TASKS, network, perplexity, task_named
from tests.core.training.test_bit_descent import ended

FOUND = {  # the perplexity of the best networks that were found
    ("echo-1", 1): 1.60,
    ("echo-2", 1): 1.82,
    ("echo-3", 1): 1.85,
    ("lag-2", 1): 1.71,
    ("lag-3", 1): 1.66,
    ("echo-2", 2): 1.30,
    ("echo-3", 2): 1.59,
    ("lag-3", 2): 1.26,
}


def of(task: str, numbers) -> float:
    return perplexity(network(np.array(numbers)), task_named(task))


@pytest.mark.parametrize(("task", "units"), WORKED_OUT)
def test_a_network_that_was_worked_out_solves_its_task(task, units):
    assert of(task, WORKED_OUT[task, units]) < 1.01 * task_named(task).best
    assert is_worked_out(task, units)


@pytest.mark.parametrize(("task", "units"), BEST_FOUND)
def test_the_best_found_has_the_perplexity_that_the_sentences_name(task, units):
    assert of(task, BEST_FOUND[task, units]) == pytest.approx(FOUND[task, units], abs=0.005)
    assert not is_worked_out(task, units)
    assert len(BEST_FOUND[task, units]) == len(FIRST_WEIGHTS[units])
    assert max(map(abs, BEST_FOUND[task, units])) <= LARGEST_WEIGHT


@pytest.mark.parametrize("task", TASKS)
def test_there_is_a_solution_for_one_and_for_two_units_and_two_are_never_worse(task):
    one, two = (of(task, solution(task, units)) for units in (1, 2))
    assert 1 <= two <= one
    assert one_unit_can(task) == (one < 1.02 * task_named(task).best)


def test_a_network_of_one_unit_is_one_of_two_units():
    for task in TASKS:
        numbers = solution(task, 1)
        assert of(task, in_two_units(numbers)) == pytest.approx(of(task, numbers))


def test_a_weight_above_1_holds_and_one_up_to_1_does_not():
    """All else as it is: over forty steps the state fades."""
    held = [of("hold", (*HOLDS[:2], weight, *HOLDS[3:])) for weight in (0.9, 1.0, 1.5, 2.0)]
    assert held[0] > held[1] > 1.5
    assert max(held[2:]) < 1.02


def test_one_weight_makes_it_forget():
    assert of("echo-0", HOLDS) > 5
    assert of("echo-0", (*HOLDS[:2], 0.0, *HOLDS[3:])) < 1.02


@pytest.mark.slow
@pytest.mark.parametrize(("task", "units"), [("echo-1", 1), ("echo-2", 2)])
def test_gradient_descent_from_other_starts_finds_nothing_better(task, units):
    found = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        start = (rng.normal(size=len(FIRST_WEIGHTS[units])) * rng.choice([0.7, 1.5, 3, 5])).clip(-LARGEST_WEIGHT, LARGEST_WEIGHT)
        found.append(ended(descend(tuple(start), task_named(task), 600)).perplexities.min())
    assert min(found) == pytest.approx(FOUND[task, units], abs=0.03)
    assert min(found) > FOUND[task, units] - 0.01
