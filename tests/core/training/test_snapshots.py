import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.config.settings import Settings
from core.models.params import Params
from core.training.curves import Point
from core.training.memory import MOST_MOMENTS
from core.training.snapshots import Moment, Moments

PARAMS = Params.zeros(3, 4)


def moment(update, numbers=0):
    state = {"params": PARAMS.flat.copy(), "h": np.zeros(numbers), "step": update}
    return Moment.of(PARAMS, state, Point(update, 10 * update, 0.1 * update, 1.0), Settings(), None)


def moments_of(updates, budget=10**9, before_move=None):
    moments = Moments(PARAMS.flat.nbytes)
    moments.budget = budget
    for update in updates:
        if moments.due(update) or update == before_move:
            moments.add(moment(update))
        if update == before_move:
            moments.pin(moments.at(update))
    return moments


def test_a_long_run_has_few_moments_evenly_apart_and_every_milestone():
    moments = moments_of(range(200_000))
    updates = [one.update for one in moments.kept]
    assert len(updates) <= MOST_MOMENTS
    assert updates[0] == 0
    assert updates[-1] > 200_000 / 1.2
    steps = np.diff(np.log1p(updates))
    assert steps.max() < 4 * np.median(steps)
    assert [one.update for one in moments.milestones] == [0, 10, 100, 1000, 10_000, 100_000]


@given(updates=st.lists(st.integers(0, 10**6), min_size=1, max_size=60, unique=True), room=st.integers(1, 12))
def test_the_budget_holds_and_the_ends_stay(updates, room):
    updates, size = sorted(updates), moment(0).bytes
    moments = Moments(PARAMS.flat.nbytes)
    moments.budget = room * size
    for update in updates:
        moments.add(moment(update))
        assert sum(one.bytes for one in moments.kept) <= max(moments.budget, 2 * size)
        assert moments.kept[-1].update == update
    assert moments.kept[0].update == updates[0]
    assert [one.update for one in moments.kept] == sorted(one.update for one in moments.kept)


def test_a_moment_before_a_move_is_kept_longer():
    moments = moments_of(range(500), budget=8 * moment(0).bytes, before_move=333)
    assert 333 in [one.update for one in moments.kept]


def test_a_moment_cannot_be_written_to():
    one = moment(3, numbers=5)
    for array in (one.params.W_hh, one.state["h"]):
        with pytest.raises(ValueError):
            array[...] = 1
    assert one.params.flat is one.state["params"]
    assert one.bytes == PARAMS.flat.nbytes + 40


@pytest.mark.parametrize(("asked", "found"), [(-1, 0), (0, 0), (9, 8), (130, 100), (10**9, 1000), (10**400, 1000)])
def test_the_nearest_moment_is_so_by_the_ratio_of_updates(asked, found):
    moments = Moments(10**6)
    for update in (0, 1, 8, 100, 1000):
        moments.add(moment(update))
    assert moments.nearest(asked).update == found


def test_restoring_a_snapshot_drops_later_snapshots():
    moments = moments_of(range(101))
    moments.forget_after(50)
    assert moments.kept[-1].update <= 50
    assert not moments.due(50)
    assert moments.due(51)
