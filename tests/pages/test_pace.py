"""How often what moves is looked at: one reader is never slowed down, and of many nobody waits for ever."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.ui.pace import AT_REST, PACES, Timer, seconds_at_rest, seconds_between_looks

USUAL = st.floats(0.1, 10.0)
RUNS = st.integers(0, 10_000)


@given(USUAL, st.integers(0, PACES[0].runs))
def test_few_runs_are_looked_at_as_usual(usual, runs):
    assert seconds_between_looks(usual, runs) == usual


@given(USUAL, RUNS, RUNS)
def test_more_runs_are_never_looked_at_more_often(usual, one, other):
    fewer, more = sorted((one, other))
    assert usual <= seconds_between_looks(usual, fewer) <= seconds_between_looks(usual, more) < math.inf


@given(USUAL, RUNS)
def test_all_who_rest_are_looked_at_so_many_times_a_second_at_most(usual, visitors):
    assert usual <= seconds_at_rest(usual, visitors)
    assert visitors / seconds_at_rest(usual, visitors) <= AT_REST * (1 + 1e-9)


@pytest.mark.parametrize("visitors", [0, 1, 30])
def test_what_rests_is_looked_at_as_usual_where_few_are_here(visitors):
    assert seconds_at_rest(4.0, visitors) == 4.0


@pytest.mark.parametrize("moving", [True, False])
def test_what_is_looked_at_once_is_never_looked_at_again(moving, monkeypatch):
    monkeypatch.setattr("pages.ui.pace.how_many_train", lambda: 10_000)
    timer = Timer(None, moving=moving)
    timer.adapt()
    assert timer.seconds is None


def test_how_many_train_does_not_matter_to_what_rests(monkeypatch):
    monkeypatch.setattr("pages.ui.pace.how_many_train", lambda: 10_000)
    assert Timer(4.0, moving=False).seconds == 4.0
