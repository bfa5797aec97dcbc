"""The computation graph of one step: every wire has its matrix and its gradient, and every number is the core's."""

import json

import numpy as np
import pytest

from core.analysis.recurrent_step.back import one_step_back
from core.analysis.recurrent_step.matrices import draw_matrices
from core.figures.recurrent_step.graph import graph_scene


def numbers(matrix):
    return [[float(full.replace("−", "-")) for _, _, full in row] for row in matrix["cells"]]


@pytest.mark.parametrize(("N", "D", "H"), [(3, 2, 4), (1, 1, 1), (6, 6, 6), (2, 6, 1)])
def test_every_wire_shows_its_matrix_and_its_gradient(N, D, H):
    m = draw_matrices(N, D, H, np.random.default_rng(0))
    b = one_step_back(m, np.random.default_rng(1))
    scene = graph_scene(m, b)
    json.dumps(scene, allow_nan=False)
    pairs = {place["matrices"][0]["name"]: place["matrices"] for place in scene["places"]}
    for name, value, gradient in (
        ("h_{prev}", m.H, b.dh_prev),
        ("W_{hh}", m.W_hh, b.dW_hh),
        ("x", m.X, b.dx),
        ("W_{xh}", m.W_xh, b.dW_xh),
        ("b_{h}", m.b, b.dt.sum(axis=0, keepdims=True)),
        ("h_{prev} W_{hh}", m.H @ m.W_hh, b.dt),
        ("x W_{xh}", m.X @ m.W_xh, b.dt),
        ("b_{h} repeated", np.repeat(m.b, N, axis=0), b.dt),
        ("sum", m.H @ m.W_hh + m.X @ m.W_xh, b.dt),
        ("t", m.H @ m.W_hh + m.X @ m.W_xh + m.b, b.dt),
        ("h_{next}", np.tanh(m.H @ m.W_hh + m.X @ m.W_xh + m.b), b.dh_next),
    ):
        forward, back = pairs.pop(name)
        np.testing.assert_allclose(numbers(forward), value, atol=6e-7)
        np.testing.assert_allclose(numbers(back), gradient, atol=6e-7)
        assert forward["shape"].startswith("×".join(map(str, value.shape)))
    assert not pairs


def test_every_wire_leads_both_ways_and_nothing_leaves_the_drawing():
    m = draw_matrices(6, 6, 6, np.random.default_rng(0))
    scene = graph_scene(m, one_step_back(m, np.random.default_rng(1)))
    width, height = scene["size"]
    tones = [wire["tone"] for wire in scene["wires"]]
    assert tones.count("forward") == tones.count("back") == len(scene["places"])
    places = [point for wire in scene["wires"] for point in wire["points"]]
    for grid in scene["grids"]:
        places.append((grid["x"] + grid["w"] * len(grid["cells"][0]), grid["y"] + grid["h"] * len(grid["cells"])))
        assert min(grid["x"], grid["y"]) >= 0
    places += [(word["x"], word["y"]) for word in scene["words"]]
    assert all(0 <= x <= width and 0 <= y < height for x, y in places)
    assert [line[0] for box in scene["boxes"] for line in box["lines"]].count("MatMul") == 2
