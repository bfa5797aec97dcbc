import math

import pytest
from hypothesis import given, strategies as st

from core.config.settings import Settings
from core.training.curves import Point
from core.training.user_prediction import FIRST, MOST, OVERLAP, drawn, expected_nats, one_update, outcome, room, timed

STEP = one_update(Settings(batch_size=4, num_steps=8), updates_per_epoch=50)
LINE = [[1, 100.0], [10, 10.0], [1000, 10.0]]


def judged(*updates, perplexity=20.0):
    return [Point(update, 32 * update, 0.01 * update, math.log(perplexity), update / 50) for update in updates]


def line(points=LINE, across="updates", since=0):
    return drawn(points, across, STEP, since, 1)


def perplexity(points, update):
    return math.exp(expected_nats(line(points).points, update))


@pytest.mark.parametrize(("across", "unit"), [("updates", 1), ("tokens", 32), ("epochs", 1 / 50)])
def test_a_line_is_the_same_over_any_axis(across, unit):
    found = line([[x * unit, y] for x, y in LINE], across).points
    for point, wanted in zip(found, line().points, strict=True):
        assert point == pytest.approx(wanted)
    assert [point.perplexity for point in found] == pytest.approx([y for _, y in LINE])


def test_it_is_straight_where_both_axes_are_logarithmic_and_has_ends():
    assert perplexity(LINE, math.sqrt(10)) == pytest.approx(math.sqrt(1000))
    assert perplexity(LINE, 100) == pytest.approx(10)
    assert math.isnan(perplexity(LINE, 0))
    assert math.isnan(perplexity(LINE, 1001))
    from_the_edge = [[0.5, 100.0], [10, 10.0]]  # the first value also holds for the untrained network
    assert line(from_the_edge).points[0].update == FIRST
    assert perplexity(from_the_edge, 0) == pytest.approx(100)


def test_the_outcome_is_the_ratio_of_perplexities():
    found = outcome(line(), judged(0, 5, 100))
    assert (*found, found.factor) == (100, pytest.approx(10), pytest.approx(20), pytest.approx(2))
    assert not math.isfinite(outcome(line(), judged(100, perplexity=math.inf)).factor)


def test_it_is_compared_once_the_run_has_gone_along_it():
    def compared_at(*updates, since=0):
        found = outcome(line(since=since), judged(*updates))
        return found and found.update

    assert compared_at(0) is None
    assert compared_at(0, OVERLAP) is None  # the line begins at update 1
    assert compared_at(0, OVERLAP + 1) == OVERLAP + 1
    assert compared_at(0, 900, 5000) == 900  # the line ends at update 1000
    assert compared_at(0, 100, 500, since=500) is None  # judged before the line was drawn
    assert compared_at(0, 500, 500 + OVERLAP, since=500) == 500 + OVERLAP


SECOND = ([1, 3.0], [0.9, 3.0], [2, math.nan], [2, math.inf], [2, 0], [-2, 1.0], [True, 1.0], "ab", [2, "3"], None)
INVALID = [[], [[1, 2.0]], [[1, 2.0]] * (MOST + 1), {"1": 2}, *([[1, 2.0], second] for second in SECOND)]


@pytest.mark.parametrize(("points", "across"), [*((points, "updates") for points in INVALID), (LINE, "seconds")])
def test_what_is_no_line_is_refused(points, across):
    with pytest.raises(ValueError):
        line(points, across)


def test_its_seconds_are_those_of_the_run_and_then_at_the_same_rate():
    seconds = [point.seconds for point in timed(line().points, judged(0, 10, 100))]
    assert seconds == pytest.approx([0.01, 0.1, 10])
    assert timed(line().points, judged(0)) == []


@given(st.integers(0, 10**7))
def test_there_is_room_to_draw_ahead(now):
    assert room(now, STEP).update >= max(1000, 10 * now)
    assert room(now, STEP).tokens == pytest.approx(32 * room(now, STEP).update)


@given(st.lists(st.tuples(st.floats(1e-3, 1e9), st.floats(1e-3, 1e9)), min_size=2, max_size=9, unique_by=lambda at: at[0]))
def test_every_line_is_finite_and_goes_right(places):
    try:
        points = line([list(place) for place in sorted(places)]).points
    except ValueError:  # all of it is before the first update
        assert sum(x > FIRST for x, _ in places) == 0
        return
    updates = [point.update for point in points]
    assert updates == sorted(updates)
    for update in (updates[0], updates[-1]):
        assert math.isfinite(expected_nats(points, update))
