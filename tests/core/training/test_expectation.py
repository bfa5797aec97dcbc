"""What a reader expects of the curve: in the units of any axis the same line, compared with what came, and only then."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.settings import Settings
from core.training.curves import Point
from core.training.expectation import FIRST, MOST, OVERLAP, drawn, expected_nats, one_update, outcome, room, timed

STEP = one_update(Settings(batch_size=4, num_steps=8), updates_per_epoch=50)
LINE = [[1, 100.0], [10, 10.0], [1000, 10.0]]


def judged(*updates, perplexity=20.0):
    return [Point(update, 32 * update, 0.01 * update, math.log(perplexity), update / 50) for update in updates]


def expected(line=LINE, since=0):
    return drawn(line, "updates", STEP, since, 1)


@pytest.mark.parametrize(("across", "unit"), [("updates", 1), ("tokens", 32), ("epochs", 1 / 50)])
def test_a_line_is_the_same_over_any_axis(across, unit):
    line = drawn([[x * unit, y] for x, y in LINE], across, STEP, 0, 1)
    for found, wanted in zip(line.points, expected().points, strict=True):
        assert found == pytest.approx(wanted)
    assert [point.perplexity for point in line.points] == pytest.approx([y for _, y in LINE])


def test_it_is_straight_where_both_axes_are_logarithmic_and_has_ends():
    points = expected().points
    assert math.exp(expected_nats(points, math.sqrt(10))) == pytest.approx(math.sqrt(1000))
    assert math.exp(expected_nats(points, 100)) == pytest.approx(10)
    assert math.isnan(expected_nats(points, 0))
    assert math.isnan(expected_nats(points, 1001))


def test_a_line_from_the_left_edge_holds_for_the_untrained_network():
    points = expected([[0.5, 100.0], [10, 10.0]]).points
    assert points[0].update == FIRST
    assert math.exp(expected_nats(points, 0)) == pytest.approx(100)


def test_how_far_off_it_was():
    update, wanted, found = outcome(expected(), judged(0, 5, 100))
    assert (update, wanted, found) == (100, pytest.approx(10), pytest.approx(20))
    assert outcome(expected(), judged(0, 5, 100)).factor == pytest.approx(2)


@pytest.mark.parametrize(
    ("since", "updates", "said"),
    [
        (0, (0,), None),
        (0, (0, OVERLAP), None),  # the line begins at update 1
        (0, (0, OVERLAP + 1), OVERLAP + 1),
        (500, (0, 100, 500), None),  # what was there already is no expectation
        (500, (0, 500, 500 + OVERLAP), 500 + OVERLAP),
        (0, (0, 900, 5000), 900),  # the line ends at update 1000
    ],
)
def test_it_is_compared_once_the_run_has_gone_along_it(since, updates, said):
    came = outcome(expected(since=since), judged(*updates))
    assert (came and came.update) == said


def test_a_run_that_overflowed_has_no_factor():
    assert not math.isfinite(outcome(expected(), judged(100, perplexity=math.inf)).factor)


@pytest.mark.parametrize(
    "line",
    [
        [],
        [[1, 2.0]],
        [[1, 2.0]] * (MOST + 1),
        [[1, 2.0], [1, 3.0]],
        [[2, 2.0], [1, 3.0]],
        [[1, 2.0], [2, math.nan]],
        [[1, 2.0], [2, math.inf]],
        [[1, 2.0], [2, 0]],
        [[1, 2.0], [-2, 1.0]],
        [[1, 2.0], [True, 1.0]],
        [[1, 2.0], "ab"],
        [[1, 2.0], [2, "3"]],
        [[1, 2.0], None],
        {"1": 2},
    ],
    ids=repr,
)
def test_what_is_no_line_is_refused(line):
    with pytest.raises(ValueError):
        expected(line)


def test_nobody_expects_seconds():
    with pytest.raises(ValueError):
        drawn(LINE, "seconds", STEP, 0, 1)


def test_seconds_are_those_of_the_run_and_then_at_its_pace():
    seconds = [point.seconds for point in timed(expected().points, judged(0, 10, 100))]
    assert seconds == pytest.approx([0.01, 0.1, 10])
    assert timed(expected().points, judged(0)) == []


@given(st.integers(0, 10**7))
def test_there_is_room_to_draw_ahead(now):
    assert room(now, STEP).update >= max(1000, 10 * now)
    assert room(now, STEP).tokens == pytest.approx(32 * room(now, STEP).update)


@given(st.lists(st.tuples(st.floats(1e-3, 1e9), st.floats(1e-3, 1e9)), min_size=2, max_size=9, unique_by=lambda at: at[0]))
def test_every_line_is_finite_and_goes_right(places):
    try:
        line = expected([list(place) for place in sorted(places)])
    except ValueError:  # all of it before the first update
        assert sum(x > FIRST for x, _ in places) == 0
        return
    updates = [point.update for point in line.points]
    assert updates == sorted(updates)
    for update in (updates[0], updates[-1]):
        assert math.isfinite(expected_nats(line.points, update))
