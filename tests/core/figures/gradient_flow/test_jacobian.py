"""The spectrum over the span: its quarters, its words, and what is lost."""

import json

import numpy as np
import pytest

from core.analysis.jacobian import growing_products
from core.figures.gradient_flow.jacobian import jacobian_figure, jacobian_numbers, spans_of


def spectra(H=8, T=20, many=6, size=1.0):
    rng = np.random.default_rng(0)
    spans = spans_of(T, many)
    return spans, list(growing_products(size * rng.standard_normal((H, H)) / np.sqrt(H), rng.uniform(0.3, 1, (T, H)), spans))


@pytest.mark.parametrize(("T", "many"), [(1, 5), (2, 5), (40, 12), (100, 12), (7, 40)])
def test_spans_reach_from_one_step_to_the_whole_text(T, many):
    spans = spans_of(T, many)
    assert spans[0] == 1
    assert spans[-1] == T
    assert len(spans) <= many
    assert sorted(set(spans)) == spans


@pytest.mark.parametrize("H", [1, 2, 3, 8])
@pytest.mark.parametrize("T", [1, 20])
def test_curves_are_the_quarters_of_the_spectrum(H, T):
    spans, logs = spectra(H, T)
    figure = jacobian_figure(spans, logs, 1.1)
    json.dumps(figure, allow_nan=False)
    curves = {curve["name"]: curve["y"] for curve in figure["data"]}
    assert curves["largest"] == pytest.approx([float(values[0]) for values in logs], abs=1e-3)
    assert len(curves) == 1 + min(H, 4)


def test_the_numbers_are_those_of_the_spectrum():
    spans, logs = spectra()
    scene = jacobian_numbers(spans, logs, np.linspace(0.1, 0.3, 20), radius=1.1, stretch=2.2)
    rows = dict(scene["rows"])
    assert float(rows["the last step: largest singular value"]) == pytest.approx(10 ** logs[0][0], rel=0.01)
    assert rows["units saturated, first step"] == "10 %"
    assert rows["units saturated, last step"] == "30 %"
    assert "20 %" in scene["sentence"]


@pytest.mark.parametrize("value", [-np.inf, np.nan, 400.0, -400.0])
def test_what_is_lost_or_beyond_all_numbers_has_words(value):
    logs = [np.full(4, value), np.full(4, value)]
    scene = jacobian_numbers([1, 9], logs, np.zeros(9), radius=np.nan, stretch=np.nan)
    json.dumps([scene, jacobian_figure([1, 9], logs, np.nan)], allow_nan=False)
    assert scene["sentence"]
    if value == -np.inf:
        assert "4 of 4" in scene["note"]
