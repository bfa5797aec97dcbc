"""The votes of a hall: medians, histograms, densities, the closest curve, and the drawing of them."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.training.curves import Point
from pages.figures.room import votes
from pages.figures.room.votes import BINS, COLUMNS, ROWS, checked_curve
from pages.figures.room.wall import FAINT, LABEL, NOWHERE, Scale, curve_chart, histogram

TOP = math.log(150)
heights = st.one_of(st.just(math.nan), st.floats(0, TOP))
curves = st.lists(st.lists(heights, min_size=COLUMNS, max_size=COLUMNS), max_size=8)


@given(st.lists(st.floats(1, 1000), min_size=1))
def test_the_quartiles_enclose_the_median_and_half_of_the_values(values):
    low, middle, high = votes.spread(values)
    assert min(values) <= low <= middle <= high <= max(values)
    assert sum(low <= one <= high for one in values) >= len(values) / 2 - 1
    assert sum(one <= middle for one in values) >= len(values) / 2


@given(st.lists(st.floats(1, 1000)), st.booleans())
def test_a_histogram_counts_every_value_once_in_the_bin_that_holds_it(values, log):
    edges, counts = votes.edges(1, 1000, log=log), votes.histogram(values, 1, 1000, log=log)
    assert (len(counts), sum(counts)) == (BINS, len(values))
    for i, count in enumerate(counts):
        last = i == BINS - 1
        assert count == sum(
            edges[i] <= one < edges[i + 1] or (last and one >= edges[i + 1]) or (i == 0 and one < edges[0]) for one in values
        )


@given(curves)
def test_a_density_counts_every_height_once_in_its_column(drawn):
    cells = votes.density(drawn, TOP)
    assert (len(cells), {len(column) for column in cells}) == (COLUMNS, {ROWS})
    assert [sum(column) for column in cells] == [sum(math.isfinite(curve[i]) for curve in drawn) for i in range(COLUMNS)]


@given(curves)
def test_a_median_curve_is_drawn_only_where_a_third_of_the_curves_is(drawn):
    for i, one in enumerate(votes.curve_spread(drawn)):
        known = [curve[i] for curve in drawn if math.isfinite(curve[i])]
        assert (one is not None) == (bool(known) and len(known) >= len(drawn) / 3)
        assert one is None or one.middle == pytest.approx(float(np.median(known)))


def test_the_closest_curve_is_the_nearest_on_a_log_axis_for_most_updates():
    until, updates = 1000, [1, 10, 100, 1000]
    truth = [4.0, 3.0, 2.0, 1.0]  # straight over the logarithm of the update
    exact = np.interp(np.log(votes.columns(until)), np.log(updates), truth)
    high, wild = exact + math.log(1.25), exact.copy()
    wild[:5] += 3  # wrong for a short while only
    half = np.where(np.arange(COLUMNS) < COLUMNS // 2, exact + 0.5, math.nan)
    exact, high, wild, half = (curve.tolist() for curve in (exact, high, wild, half))
    assert votes.distance(exact, updates, truth, until) == pytest.approx(0)
    assert votes.distance(high, updates, truth, until) == pytest.approx(math.log(1.25))
    assert votes.distance(half, updates, truth, until) == pytest.approx(0.5)
    assert math.isnan(votes.distance([math.nan] * COLUMNS, updates, truth, until))
    assert votes.closest([high, wild, half], updates, truth, until) == (1, pytest.approx(0, abs=1e-9))
    assert votes.closest([[math.nan] * COLUMNS], updates, truth, until) is None
    run = [Point(update, 0, 0, nats) for update, nats in zip(updates, truth, strict=True)]
    assert "25" in curve_chart([[high]], until, 5.0, {}, run, told=True)["closest"]
    assert curve_chart([[high]], until, 5.0, {}, run, told=False)["run"] == []


@pytest.mark.parametrize(
    ("right", "said"), [(0, "explain"), (29, "explain"), (30, "discuss"), (70, "discuss"), (71, "go on"), (100, "go on")]
)
def test_the_advice_depends_on_the_share_that_is_right(right, said):
    assert votes.advice(right, 100) == said
    assert votes.advice(0, 0) == ""


WRONG = (None, "1", {}, [], [2.0], [2.0] * (COLUMNS + 1), [None] * COLUMNS, [2.0, *[None] * (COLUMNS - 1)])
VALUES = (math.nan, math.inf, -1, 0, 0.5, True, "2", [2], 1e9, 10**400)


@pytest.mark.parametrize(
    "sent", [*WRONG, *([2.0] * (COLUMNS - 1) + [value] for value in VALUES)], ids=lambda one: repr(one)[-12:]
)
def test_what_is_no_curve_is_refused(sent):
    with pytest.raises(ValueError, match="A curve has"):
        checked_curve(sent, TOP)


def test_a_curve_is_kept_in_nats_with_gaps():
    nats = checked_curve([None, *[2.0] * (COLUMNS - 1)], TOP)
    assert math.isnan(nats[0])
    assert nats[1:] == [math.log(2)] * (COLUMNS - 1)


def test_many_curves_are_drawn_as_a_density():
    curve = [1.0] * COLUMNS
    few, many = (curve_chart([[curve] * n], 1000, 5.0, {"bigram": 2.0}, [], told=False) for n in (FAINT, FAINT + 1))
    assert (len(few["votes"][0]["lines"]), few["votes"][0]["cells"]) == (FAINT, [])
    assert (many["votes"][0]["lines"], len(many["votes"][0]["cells"])) == ([], COLUMNS)
    assert many["votes"][0]["middle"] == [0.2] * COLUMNS
    assert few["lines"] == [(0.4, 0.4, "bigram")]


@given(st.floats(1, 1e9))
def test_a_place_on_a_scale_lies_between_its_ends(value):
    assert 0 <= Scale(1, 1e9, log=True).share(value) <= 1
    assert len(Scale(1, 2.5, log=False).bins()) == BINS


@given(st.lists(st.floats(0, TOP), min_size=1, max_size=6))
def test_no_label_of_a_line_lies_over_another_one(heights):
    drawn = curve_chart([], 1000, TOP, {f"model {i}": height for i, height in enumerate(heights)}, [], told=False)["lines"]
    assert [place for place, _label, _name in drawn] == sorted(height / TOP for height in heights)
    for (_place, below, _name), (place, above, _other) in pairwise(drawn):
        assert above >= max(place, below + LABEL - 1e-9)


def test_a_histogram_says_the_median_and_the_truth_of_each_vote_where_they_are_known():
    drawn = histogram([[1.0, 10.0, 100.0], []], Scale(1, 1000, log=True), 11.0)
    assert drawn["medians"] == [pytest.approx(1 / 3), NOWHERE]
    assert "10" in drawn["said"][0]
    assert drawn["said"][1] == ""
    assert (drawn["truth"], len(drawn["edges"])) == ("11", BINS + 1)
    assert drawn["place"] == pytest.approx(math.log(11) / math.log(1000))
    unknown = histogram([], Scale(1, 2.5, log=False), math.nan)
    assert (unknown["place"], unknown["truth"]) == (NOWHERE, "")
