"""Dots are what was measured, lines what was fitted, and the sentence says the slopes."""

import json

import pytest

from core.analysis.cost import Cost
from core.figures.gradient_flow.cost import cost_words, memory_figure, time_figure

COSTS = [Cost(T, 1e-4 * T, 3e-4 * T, 1234 * T + 500, 2000 * T) for T in (1, 10, 100)]


def test_dots_lie_on_the_lines_of_an_exact_law():
    for figure, forward in ((time_figure(COSTS), [0.1, 1, 10]), (memory_figure(COSTS), [0.001734, 0.01284, 0.1239])):
        json.dumps(figure, allow_nan=False)
        line, dots = figure["data"][:2]
        assert dots["y"] == pytest.approx(forward)
        assert line["y"] == pytest.approx([forward[0], forward[-1]])
        assert figure["layout"]["yaxis"]["title"]["text"].split(",")[0] in ("milliseconds", "megabytes")


def test_the_sentence_says_the_slopes():
    said = cost_words(COSTS)
    for number in ("0.10 ms", "0.30 ms", "3.0 times", "1.23 kB"):
        assert number in said


def test_a_clock_that_stood_still_is_no_mistake():
    cost_words([cost._replace(forward=0.0, backward=0.0) for cost in COSTS])
