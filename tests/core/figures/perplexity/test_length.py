"""Length, drawn: two axes over one text, and a table of the product rule."""

import math

import numpy as np
import pytest

from core.analysis.length import growing
from core.figures.parts.numbers import power
from core.figures.perplexity.length import DRAWN, POINTS, Read, growing_figure, growing_label, growing_words, product_rule, rule

NATS = np.random.default_rng(0).exponential(2.0, size=3000)


def test_each_model_has_a_curve_on_either_axis():
    figure = growing_figure([Read("RNN", growing(NATS)), Read("uniform", growing(np.full(3000, 3.0)))], "character")
    axes = [curve.get("yaxis", "y") for curve in figure["data"]]
    assert axes == ["y", "y2", "y", "y2"]
    assert all(len(curve["x"]) <= POINTS and curve["x"][-1] == DRAWN for curve in figure["data"])
    assert figure["data"][1]["y"][-1] == pytest.approx(NATS[:DRAWN].mean(), abs=1e-3)
    deepest = min(min(curve["y"]) for curve in figure["data"][::2])
    assert figure["layout"]["yaxis"]["range"][0] <= deepest


def test_every_curve_is_in_the_legend():
    figure = growing_figure([Read("the network", growing(NATS)), Read("<b>", growing(NATS))], "character")
    assert figure["layout"]["showlegend"]
    names = [curve["name"] for curve in figure["data"] if curve.get("showlegend", True)]
    assert len(set(names)) == 4
    assert not any("<b>" in name for name in names)


@pytest.mark.parametrize("nats", [[0.5], [0.0, 0.0], [1.0, math.inf, 1.0], [math.nan, 1.0]])
def test_any_text_can_be_drawn(nats):
    model = Read("<b>", growing(np.array(nats)))
    figure = growing_figure([model], "word")
    numbers = [value for curve in figure["data"] for value in curve["y"] if value is not None]
    assert all(map(math.isfinite, [*numbers, *figure["layout"]["yaxis"]["range"], *figure["layout"]["yaxis2"]["range"]]))
    assert "<b>" not in figure["data"][0]["hovertemplate"]
    assert growing_words([model], "word")[0]["rows"][-1][0].startswith("after")
    assert growing_label([model])


@pytest.mark.parametrize(("log10", "said"), [(0.0, "1"), (-743.2, "10⁻⁷⁴³"), (-math.inf, "0"), (math.nan, "–")])
def test_powers_of_ten(log10, said):
    assert power(log10) == said


def test_the_table_multiplies():
    p = np.array([0.5, 0.2, 0.8])
    scene = product_rule(["you", "say", "\n"], growing(-np.log(p)), ".")
    shown = [[cell["text"] for cell in row["cells"]] for row in scene["rows"]]
    assert shown[0] == ["0.50", "0.20", "0.80"]
    assert shown[1] == ["0.50", "0.10", "0.080"]
    assert scene["head"][-1] == "↵"
    assert len(scene["head"]) == 4


def test_the_rule_is_written_out():
    assert rule(["you", "say"]) == "P(you say) = P(you) · P(say | you)"
