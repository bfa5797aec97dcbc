"""The race of truncation lengths: only the cut differs, and theory is said where there is one."""

import pytest

from core.settings import Settings
from core.text.languages import echo_floor_with_reset, lag_floor, lag_floor_with_reset
from core.training.leg import Budget
from core.training.sweep import Sweep
from core.training.truncation_race import RECIPE, expected, lengths, needed, on_text, racing


@pytest.mark.parametrize("k", [2, 4, 6, 8])
@pytest.mark.parametrize("task", ["lag", "echo"])
def test_the_lengths_stand_around_the_least_that_can_teach(task, k):
    taus = lengths(task, k)
    assert {needed(task, k) - 1, needed(task, k), 2 * needed(task, k)} <= set(taus)
    assert len(taus) == len(set(taus)) <= 8
    assert min(taus) >= 1


def test_only_the_cut_differs_or_the_window_with_it():
    for blocks in (False, True):
        plans = racing(RECIPE, (2, 5), 2, blocks=blocks)
        fields = {name for plan in plans for name in plans[0].differing(plan)}
        assert fields == {"truncation", "seed", *(["num_steps"] if blocks else [])}
    assert on_text(Settings(hidden_size=512, carry_state=False, weight_decay=0.1)) == Settings(hidden_size=128, cosine_until=0)


def test_theory_is_the_bound_of_blocks_that_are_reset_and_otherwise_coin_or_best():
    taus = (3, 4, 5)
    assert expected("echo", 4, taus, blocks=True, carried=False) == [echo_floor_with_reset(4, tau) for tau in taus]
    assert expected("lag", 4, taus, blocks=True, carried=False) == [lag_floor_with_reset(4, tau) for tau in taus]
    assert expected("lag", 4, taus, blocks=False, carried=True) == [2.0, lag_floor(), lag_floor()]
    assert expected("lag", 4, taus, blocks=False, carried=False)[1] == lag_floor_with_reset(4, 32)
    assert expected("text", 4, taus, blocks=True, carried=True) == []


def test_one_step_short_learns_nothing_and_the_needed_length_comes_near_the_bound():
    """With the state reset both are theorems; carried, it may hold by chance what no gradient asked for."""
    base, taus = RECIPE.but(corpus="echo", lag=4, carry_state=False), (4, 5)
    sweep = Sweep(racing(base, taus, 1, blocks=True), Budget(tokens=200_000))
    for _ in sweep:
        pass
    short, enough = (member.reached.perplexity for member in sweep.members)
    assert short > 1.98
    assert enough < 1.05 * echo_floor_with_reset(4, 5)
