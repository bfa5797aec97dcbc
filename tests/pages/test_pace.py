"""How often what moves is looked at: one reader is never slowed down, and of many nobody waits for ever."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.ui.pace import AT_REST, MANY, MOVING, SPREAD, Timer, seconds_at_rest, seconds_between_looks

USUAL = st.floats(0.1, 10.0)
RUNS = st.integers(0, 10_000)


@given(USUAL, st.floats(0.0, SPREAD))
def test_few_runs_are_looked_at_as_usual(usual, spread):
    few = int(min(usual * MOVING, MANY) / (1 + SPREAD))
    assert seconds_between_looks(usual, few, spread) == usual
    assert seconds_between_looks(usual, 1, spread) == usual


@given(USUAL, RUNS, RUNS)
def test_more_runs_are_never_looked_at_more_often(usual, one, other):
    fewer, more = sorted((one, other))
    assert usual <= seconds_between_looks(usual, fewer) <= seconds_between_looks(usual, more) < math.inf


@given(USUAL, RUNS)
def test_all_runs_together_are_looked_at_no_more_often_than_a_server_bears(usual, runs):
    assert runs / seconds_between_looks(usual, runs) <= MOVING * (1 + 1e-9)


@given(USUAL, RUNS, st.floats(0.0, SPREAD))
def test_nobody_in_a_crowd_looks_much_less_often_than_the_others(usual, runs, spread):
    least = seconds_between_looks(usual, runs)
    assert least <= seconds_between_looks(usual, runs, spread) <= (1 + SPREAD) * least


def test_in_a_crowd_none_looks_exactly_as_often_as_another(monkeypatch):
    monkeypatch.setattr("pages.ui.pace.how_many_train", lambda: MANY)
    timers = [Timer(1.0, moves=True) for _ in range(20)]
    assert len({timer.seconds for timer in timers}) == len(timers)


@given(USUAL, st.integers(0, 10_000), st.integers(0, 10_000))
def test_what_rests_is_looked_at_as_usual_by_few_and_by_many_not_more_often_than_a_server_bears(usual, one, other):
    fewer, more = sorted((one, other))
    assert usual <= seconds_at_rest(usual, fewer) <= seconds_at_rest(usual, more) < math.inf
    assert more / seconds_at_rest(usual, more) <= AT_REST * (1 + 1e-9)
    assert seconds_at_rest(usual, int(usual * AT_REST)) == usual


@pytest.mark.parametrize("moves", [True, False])
def test_what_is_not_looked_at_again_is_not_in_any_crowd(moves, monkeypatch):
    monkeypatch.setattr("pages.ui.pace.how_many_train", lambda: 10_000)
    timer = Timer(None, moves=moves)
    timer.adapt()
    assert timer.seconds is None
