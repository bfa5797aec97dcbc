"""What the comparison says is what its numbers say."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.clipping import Clipped
from core.analysis.gradient_flow import LagCurve
from core.analysis.vanishing import Experiment
from core.figures.gradient_flow.what_if import REACH, Live, Side, apply_words, comparison, sentence, what_if_chart
from core.figures.parts.numbers import rough_percent


def experiment(rate, T=40, saturated=0.25):
    median = 3.0 * rate ** np.arange(T)
    return Experiment(LagCurve(median, median, median, rate, 3.0), saturated, np.ones(3))


def side(rate, radius=1.1, clipped=None, **more):
    return Side(experiment(rate, **more), radius, clipped, clipped)


def live(rate, **more):
    return Live(side(rate, **more), experiment(0.9), 1.6, 500)


@pytest.mark.parametrize(
    ("radius", "fresh", "trained", "says"),
    [
        (1.1, 0.97, 0.6, "need not explode"),
        (2.0, 1.1, 0.6, "not the radius that decides"),
        (0.5, 0.6, 1.1, "not the radius that decides"),
        (2.0, 1.1, 1.2, "rule of thumb"),
        (0.9, 1.1, 1.2, "need not vanish"),
        (0.9, 0.8, 0.7, "no radius above one"),
    ],
)
def test_the_moral_follows_from_the_numbers(radius, fresh, trained, says):
    told = sentence(side(fresh, radius), live(trained, radius=radius))
    assert says in told
    assert told.count(".") - told.count("0.") - told.count("1.") - told.count("2.") <= told.count("−") + 3  # one sentence
    assert "25 %" in told
    assert f"{REACH} steps" in told


def test_a_growing_gradient_is_said_to_grow_and_a_shrinking_one_to_shrink():
    told = sentence(side(1.1), live(0.9))
    assert told.index("grows") < told.index("shrinks")


@pytest.mark.parametrize("rate", [0.0, math.nan, math.inf])
def test_no_moral_without_numbers(rate):
    broken = side(0.9)
    broken.experiment.curve.median[1:] = rate
    told = sentence(broken, live(0.9))
    assert "zero or no finite number" in told
    json.dumps([what_if_chart(broken, live(0.9)), comparison(broken, live(0.9), 1.0)], allow_nan=False)


def test_one_step_has_no_lag():
    lone = side(0.9, T=1)
    assert "longer T" in sentence(lone, None)
    json.dumps([what_if_chart(lone, None), comparison(lone, None, 0.0)], allow_nan=False)


def test_without_a_live_network_there_is_one_column_and_nothing_to_apply():
    scene = comparison(side(0.9), None, 0.0)
    assert scene["columns"] == ["fresh"]
    assert all(len(row) == 2 for row in scene["rows"] + scene["gauges"])
    assert apply_words(None, 1.1, 1.0, 1.0) == ""


def test_the_button_says_all_that_it_will_do():
    assert "radius 1.60 → 1.1" in apply_words(live(0.9), 1.1, 1.0, 1.0)
    assert "clip 1 → 0.5" in apply_words(live(0.9), 1.1, 0.5, 1.0)
    assert "clip" not in apply_words(live(0.9), 1.1, 1.0, 1.0)


def test_the_gauge_shows_lengths_and_the_turn():
    gauges = comparison(side(0.9, clipped=Clipped(4.0, 1.0, 24.0)), live(0.9, clipped=Clipped(2.0, 1.0, 1e-7)), 1.0)["gauges"]
    (_, fresh, trained), _ = gauges
    assert fresh["says"] == "4.00 → 1.00"
    assert "24°" in fresh["turned"]
    assert (fresh["before"], fresh["after"]) == (1.0, 0.25)
    assert trained["turned"] == "turned by 0°"
    assert trained["before"] == 0.5


@pytest.mark.parametrize(
    "clipped", [Clipped(0.0, 0.0, math.nan), Clipped(math.inf, math.nan, math.nan), Clipped(math.nan, math.nan, math.nan)]
)
def test_a_gradient_without_length_has_a_gauge_all_the_same(clipped):
    json.dumps(comparison(side(0.9, clipped=clipped), None, 1.0), allow_nan=False)


@given(st.floats(0, 1))
def test_shares_never_say_none_where_there_are_some(share):
    assert (rough_percent(share) == "0 %") == (share == 0)
