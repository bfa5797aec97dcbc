"""One step back: the numbers of the core, and every unit on the curve."""

import json

import numpy as np
import plotly.graph_objects as go
import pytest

from core.analysis.recurrent_step.back import one_step_back, slope_curve
from core.analysis.recurrent_step.matrices import draw_matrices
from core.figures.parts.style import THEMES, in_theme
from core.figures.recurrent_step.back import slope_figure, slope_label, step_back_scene, step_back_words

sizes = pytest.mark.parametrize(("N", "D", "H"), [(3, 1, 4), (1, 1, 1), (6, 6, 6), (2, 6, 1)])


def value(text):
    return float(text.replace("−", "-").strip("()"))


def exact(part):
    """The numbers of a part of a matrix as they are told when asked for, six decimals."""
    return [[value(text) for _, _, text in row] for row in part["cells"]]


@pytest.mark.parametrize("activation", ["tanh", "relu", "sigmoid"])
@sizes
def test_one_step_back_shows_the_numbers_of_the_core(N, D, H, activation):
    m = draw_matrices(N, D, H, np.random.default_rng(0), activation=activation)
    b = one_step_back(m, np.random.default_rng(1), activation)
    scene = step_back_scene(m, b)
    json.dumps([scene, step_back_words(b), slope_label(b)], allow_nan=False)
    results = [equation["items"][-1] for equation in scene["equations"]]
    assert f"{activation}^′" in scene["equations"][1]["first"]
    for item, wanted in zip(results, (b.a, b.dt, b.db[None], b.dW_hh, b.dh_prev, b.dW_xh, b.dx), strict=True):
        np.testing.assert_allclose(exact(item["parts"][0]), wanted, atol=6e-7)
        assert item["shape"] == f"{wanted.shape[0]}×{wanted.shape[1]}"
        assert item["lights"] == "cell"


def test_every_unit_stands_on_the_curve():
    b = one_step_back(draw_matrices(3, 1, 4, np.random.default_rng(0)), np.random.default_rng(1))
    assert slope_figure(b, slope_curve(4.0))["layout"]["yaxis"]["title"]["text"].startswith("tanh′")
    chart = slope_figure(b, slope_curve(4.0))
    for theme in THEMES:
        go.Figure(in_theme(chart, theme))
    dots = chart["data"][1]
    np.testing.assert_allclose(dots["y"], 1 - np.tanh(dots["x"]) ** 2, atol=1e-3)
    assert len(dots["x"]) == 12


def test_a_product_is_called_the_only_one_of_its_shape_only_where_it_is():
    for N, D, H, only in ((3, 2, 4, ["dW_xh", "dx"]), (6, 6, 6, []), (4, 2, 4, [])):
        m = draw_matrices(N, D, H, np.random.default_rng(0))
        scene = step_back_scene(m, one_step_back(m, np.random.default_rng(1)))
        said = {equation["second"].split(" = ")[0]: equation["words"] for equation in scene["equations"]}
        assert [name for name, words in said.items() if "only this one" in words] == only
        assert f"({H}×{N})·({N}×{H}) = {H}×{H}" in said["dW_hh"]


def test_the_bias_is_repeated_forward_and_summed_backward():
    m = draw_matrices(3, 2, 4, np.random.default_rng(0))
    b = one_step_back(m, np.random.default_rng(1))
    forward, _, backward, *_ = step_back_scene(m, b)["equations"]
    repeated = exact(forward["items"][4]["parts"][0])
    assert repeated[0] == repeated[1] == repeated[2]
    dt, _, db = backward["items"]
    np.testing.assert_allclose(np.sum(exact(dt["parts"][0]), axis=0), exact(db["parts"][0])[0], atol=3e-6)
