"""Size against lag: units on the axes, the numbers of the curve, and a sentence where there is nothing to draw."""

import json
import math

import numpy as np
import pytest

from core.analysis.gradient_flow import lag_curve
from core.figures.gradient_flow.lag import lag_figure, lag_sentence, rate_in_words
from core.figures.parts.style import in_theme


def halving(T=12, rate=0.5):
    lags = np.subtract.outer(np.arange(T), np.arange(T))
    return np.where(lags >= 0, 3 * rate ** np.maximum(lags, 0).astype(float), 0.0)


def test_axes_have_units_and_the_curve_its_numbers():
    curve = lag_curve(halving())
    figure = lag_figure(curve)
    layout = figure["layout"]
    assert "nats" in layout["yaxis"]["title"]["text"]
    assert "steps back" in layout["xaxis"]["title"]["text"]
    median = next(line for line in figure["data"] if line["name"] == "median")
    assert median["y"] == pytest.approx(np.log10(curve.median).tolist(), abs=1e-3)
    low, high = layout["yaxis"]["range"]
    assert low < min(median["y"]) < max(median["y"]) < high
    for theme in ("light", "dark"):
        json.dumps(in_theme(figure, theme), allow_nan=False)


def test_the_untrained_curve_is_scaled_to_the_same_start():
    figure = lag_figure(lag_curve(halving()), lag_curve(100 * halving(rate=0.9)))
    ghost = next(line for line in figure["data"] if line["name"] == "untrained")
    assert ghost["y"][0] == pytest.approx(math.log10(3), abs=1e-4)
    assert ghost["line"]["dash"]
    assert any("scaled" in note["text"] for note in figure["layout"]["annotations"])


@pytest.mark.parametrize(("rate", "said"), [(0.5, "Halves every 1.0"), (2.0, "Doubles every 1.0"), (1.0, "Neither")])
def test_the_rate_in_words(rate, said):
    assert lag_sentence(lag_curve(halving(rate=rate))).startswith(said)


@pytest.mark.parametrize(
    ("norms", "said"),
    [(np.zeros((4, 4)), "zero"), (np.full((4, 4), np.inf), "exploded"), (np.ones((1, 1)), "few"), (np.diag(np.ones(6)), "zero")],
)
def test_where_there_is_no_line_there_is_a_sentence(norms, said):
    curve = lag_curve(norms)
    assert said in lag_sentence(curve).lower()
    assert rate_in_words(curve) == "–"
    json.dumps(lag_figure(curve, curve), allow_nan=False)
