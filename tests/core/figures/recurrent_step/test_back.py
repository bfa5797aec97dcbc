"""One step back: the numbers of the core, and every unit on the curve."""

import json

import numpy as np
import plotly.graph_objects as go
import pytest

from core.analysis.recurrent_step.back import one_step_back, slope_curve
from core.analysis.recurrent_step.matrices import draw_matrices
from core.figures.parts.style import THEMES
from core.figures.recurrent_step.back import slope_figure, slope_label, step_back_scene, step_back_words
from tests.core.figures.colours import resolve

sizes = pytest.mark.parametrize(("N", "D", "H"), [(3, 1, 4), (1, 1, 1), (6, 6, 6), (2, 6, 1)])


def value(text):
    return float(text.replace("−", "-").strip("()"))


def exact(part):
    """The numbers of a part of a matrix as they are told when asked for, six decimals."""
    return [[value(text) for _, _, text in row] for row in part["cells"]]


@sizes
def test_one_step_back_shows_the_numbers_of_the_core(N, D, H):
    m = draw_matrices(N, D, H, np.random.default_rng(0))
    b = one_step_back(m, np.random.default_rng(1))
    scene = step_back_scene(m, b)
    json.dumps([scene, step_back_words(b), slope_label(b)], allow_nan=False)
    results = [equation["items"][-1] for equation in scene["equations"]]
    for item, wanted in zip(results, (b.dt, b.db[None], b.dW_hh, b.dh_prev, b.dW_xh, b.dx), strict=True):
        np.testing.assert_allclose(exact(item["parts"][0]), wanted, atol=6e-7)
        assert item["shape"] == f"{wanted.shape[0]}×{wanted.shape[1]}"
        assert item["lights"] == "cell"


def test_every_unit_stands_on_the_curve():
    b = one_step_back(draw_matrices(3, 1, 4, np.random.default_rng(0)), np.random.default_rng(1))
    chart = slope_figure(b, slope_curve(4.0))
    for theme in THEMES:
        go.Figure(resolve(chart, theme))
    dots = chart["data"][1]
    np.testing.assert_allclose(dots["y"], 1 - np.tanh(dots["x"]) ** 2, atol=1e-3)
    assert len(dots["x"]) == 12
