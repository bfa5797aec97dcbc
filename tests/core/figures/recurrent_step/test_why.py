"""Why a state: charts with units, whose curves are the counts."""

import json
import math

import plotly.graph_objects as go
import pytest

from core.analysis.recurrent_step.why import growth
from core.figures.parts.style import THEMES, in_theme
from core.figures.recurrent_step.why import Example, growth_figure, growth_label, never_seen_figure, why_words

networks = pytest.mark.parametrize(("V", "H", "D"), [(103, 128, 0), (2, 32, 0), (5000, 64, 100), (20_000, 1, 1)])


@networks
@pytest.mark.parametrize("shares", [[0.0, 0.002, 0.5], [1.0] * 10, [0.1, float("nan")], None])
def test_charts_say_their_units_and_plotly_accepts_them(V, H, D, shares):
    g = growth(V, H, D)
    charts = [growth_figure(g, "word"), *([never_seen_figure(shares, "word")] if shares else [])]
    for chart, unit in zip(charts, ("parameters", "%"), strict=False):
        json.dumps(chart, allow_nan=False)
        for theme in THEMES:
            drawn = go.Figure(in_theme(chart, theme))
            assert unit in drawn.layout.yaxis.title.text
            assert "words" in drawn.layout.xaxis.title.text
    json.dumps([why_words(g, shares and shares * 5, V, "word", "tanh", None), growth_label(g)], allow_nan=False)


@networks
def test_the_curves_are_the_counts_and_their_labels_stand_at_their_ends(V, H, D):
    g = growth(V, H, D)
    chart = growth_figure(g, "bit")
    for trace, wanted in zip(chart["data"], (g.table, g.window, [g.rnn] * 10), strict=True):
        assert trace["y"] == pytest.approx([math.log10(value) for value in wanted], rel=1e-4)
    low, high = chart["layout"]["yaxis"]["range"]
    for label, trace in zip(chart["layout"]["annotations"], chart["data"], strict=True):
        assert low + label["y"] * (high - low) == pytest.approx(trace["y"][-1])


def test_a_two_gram_product_is_that_of_its_factors_and_markov_is_named():
    count, *_ = why_words(growth(103, 8, 0), None, 103, "character", "tanh", Example("a·b", [(1, 10), (1, 4), (2, 5)]))
    said = "".join(text for sentence in count["sentences"] for text, _ in sentence)
    assert "0.10 · 0.25 · 0.40 = 0.010" in said
    assert "Markov" in said
