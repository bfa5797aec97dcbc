"""Moments of the run beside now: one curve and one row each, named by their update."""

import json

import numpy as np
import pytest

from core.analysis.gradient_flow import LagCurve
from core.analysis.vanishing import Experiment
from core.figures.gradient_flow.history import Then, lag_history_figure, lag_history_numbers


def then(update, rate, T=40):
    median = rate ** np.arange(T)
    return Then(update, Experiment(LagCurve(median, median, median, rate, 1.0), 0.1, np.ones(1)))


def test_a_curve_and_a_row_for_every_moment_and_now():
    moments, now = [then(0, 0.9), then(10, 0.8), then(100, 0.85)], then(512, 0.7)
    figure, scene = lag_history_figure(moments, now), lag_history_numbers(moments, now)
    json.dumps([figure, scene], allow_nan=False)
    assert len(figure["data"]) == len(scene["rows"]) == 4
    assert [row[0] for row in scene["rows"]] == ["untrained", "10", "100", "now, 512"]
    widths = [curve["line"]["width"] for curve in figure["data"]]
    assert widths == sorted(widths)
    assert len({curve["line"]["dash"] for curve in figure["data"]}) == 4  # never told apart by colour alone
    assert "faster" in scene["sentence"]


@pytest.mark.parametrize(("rate", "says"), [(0.95, "slower"), (1.2, "grows"), (np.nan, "no gradient")])
def test_the_sentence_follows_from_the_rates(rate, says):
    assert says in lag_history_numbers([then(0, 0.9)], then(9, rate))["sentence"]


def test_before_the_first_update_there_is_nothing_to_compare():
    scene = lag_history_numbers([then(0, 0.9)], then(0, 0.9))
    assert len(scene["rows"]) == 1
    assert "press play" in scene["sentence"]


def test_one_step_has_no_lag():
    assert lag_history_numbers([then(0, 0.9, T=1)], then(9, 0.9, T=1))["rows"][0][2] == "–"
