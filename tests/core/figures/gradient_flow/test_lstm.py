"""The words on LSTMs name the numbers of the table beside the chart."""

import math

import numpy as np
import pytest

from core.figures.gradient_flow.jacobian import jacobian_numbers
from core.figures.gradient_flow.lstm import why_no_lstm


def said(scene):
    return " ".join(text for sentence in scene["sentences"] for text, _ in sentence)


def test_it_says_the_numbers_that_stand_in_the_table():
    spans, spectra = [1, 4, 16], [np.log10(np.array([0.9, 0.5]) ** span) for span in (1, 4, 16)]
    rows = dict(jacobian_numbers(spans, spectra, np.array([0.1, 0.2]), radius=1.0, stretch=1.1)["rows"])
    words = said(why_no_lstm(spans, spectra))
    assert f"factor is {rows['per step, on average'].removeprefix('× ')} per step" in words
    assert f"{rows['all 16 steps: largest']} over all 16 steps" in words


@pytest.mark.parametrize("largest", [math.inf, -math.inf, math.nan])
def test_without_a_number_it_says_the_reason_alone(largest):
    assert said(why_no_lstm([1], [np.array([largest])])) == said(why_no_lstm())
