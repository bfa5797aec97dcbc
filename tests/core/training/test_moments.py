"""Moments of a run: spaced evenly, within their budget, the first and the newest always."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.params import Params
from core.settings import Settings
from core.training.curves import Point
from core.training.memory import FLOOR, MOST_MOMENTS
from core.training.moments import Moment, Moments, is_milestone

PARAMS = Params.zeros(3, 4)


def made(update, numbers=0):
    state = {"params": PARAMS.flat.copy(), "h": np.zeros(numbers), "step": update}
    return Moment.of(PARAMS, state, Point(update, 10 * update, 0.1 * update, 1.0), Settings(), None)


def kept_of(updates, budget=10**9, before_move=()):
    moments = Moments(PARAMS.flat.nbytes)
    moments.budget = budget
    for update in updates:
        if moments.due(update) or update in before_move:
            moments.add(made(update))
        if update in before_move:
            moments.mark(moments.at(update))
    return moments


def test_milestones_are_powers_of_ten_and_the_start():
    assert [update for update in range(100_001) if is_milestone(update)] == [0, 10, 100, 1000, 10_000, 100_000]


def test_however_long_a_run_is_few_are_kept_and_they_are_evenly_apart():
    moments = kept_of(range(200_000))
    updates = [moment.update for moment in moments.kept]
    assert len(updates) <= MOST_MOMENTS
    assert updates[0] == 0
    assert updates[-1] > 200_000 / 1.2
    steps = np.diff(np.log1p(updates))
    assert steps.max() < 4 * np.median(steps)
    assert [moment.update for moment in moments.milestones] == [0, 10, 100, 1000, 10_000, 100_000]


@given(updates=st.lists(st.integers(0, 10**6), min_size=1, max_size=60, unique=True), room=st.integers(1, 12))
def test_the_budget_holds_and_the_ends_stay(updates, room):
    updates, size = sorted(updates), made(0).bytes
    moments = Moments(PARAMS.flat.nbytes)
    moments.budget = room * size
    for update in updates:
        moments.add(made(update))
        assert moments.bytes <= max(moments.budget, 2 * size)
        assert moments.kept[-1].update == update
    assert moments.kept[0].update == updates[0]
    assert [moment.update for moment in moments.kept] == sorted(moment.update for moment in moments.kept)


def test_where_a_knob_was_moved_is_kept_longer():
    moments = kept_of(range(500), budget=8 * made(0).bytes, before_move=(333,))
    assert 333 in [moment.update for moment in moments.kept]


def test_the_budget_is_sixteen_times_the_parameters_but_never_little():
    assert Moments(10**7).budget == 16 * 10**7
    assert Moments(1).budget == FLOOR


def test_what_is_kept_cannot_be_written_to():
    moment = made(3, numbers=5)
    with pytest.raises(ValueError):
        moment.params.W_hh[0, 0] = 1
    with pytest.raises(ValueError):
        moment.state["h"][0] = 1
    assert moment.params.flat is moment.state["params"]
    assert moment.bytes == PARAMS.flat.nbytes + 40


@pytest.mark.parametrize(("asked", "found"), [(0, 0), (9, 8), (130, 100), (10**9, 1000)])
def test_the_nearest_is_so_by_the_ratio_of_updates(asked, found):
    moments = Moments(PARAMS.flat.nbytes)
    for update in (0, 1, 8, 100, 1000):
        moments.add(made(update))
    assert moments.nearest(asked).update == found


def test_a_run_that_went_back_forgets_and_goes_on():
    moments = kept_of(range(101))
    other = moments.until(50)
    moments.forget_after(50)
    assert moments.kept == other.kept
    assert moments.kept[-1].update <= 50
    assert not moments.due(50)
    assert moments.due(51)
    assert math.isfinite(moments.budget)
