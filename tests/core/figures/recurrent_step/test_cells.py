"""Three cells side by side: what each joins, and that one hands its state to the next."""

import json
from itertools import pairwise

import numpy as np
import pytest

from core.analysis.unrolled import unroll
from core.figures.recurrent_step.cells import cells_scene, cells_words
from core.models.initialisation import init_params

TEXT = np.array([3, 1, 4, 1, 5, 2, 6])
VOCAB = ["a", "b", "<i>", "_", "{x}", "\n", " ", "h"]


@pytest.mark.parametrize("D", [0, 5])
@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_three_cells_join_the_input_above_the_state_and_hand_on_the_result(D, activation):
    params = init_params(8, 6, embedding_size=D, rng=np.random.default_rng(3), dtype=np.float64)
    u = unroll(params, TEXT[:-1], TEXT[1:], activation=activation)
    scene = cells_scene(u, params, [VOCAB[i] for i in u.tokens], VOCAB)
    json.dumps(scene, allow_nan=False)
    cells = [scene["grids"][i : i + 3] for i in (0, 3, 6)]
    for t, (source, before, after) in enumerate(cells, start=3):
        assert source["y"] + source["h"] * len(source["cells"]) < before["y"]  # x above h, as in [x, h]
        assert source["x"] == before["x"] < after["x"]
        said = [float(cell[0][2].split(": ")[1].replace("−", "-")) for cell in after["cells"]]
        np.testing.assert_allclose(said, u.h[t + 1], atol=0.006)
    for left, right in pairwise(cells):
        assert left[2]["cells"] == right[1]["cells"]
    assert sum([f"+ {activation}", "strong"] in box["lines"] for box in scene["boxes"]) == 3
    assert f"1×({D or 8} + 6) = 1×{(D or 8) + 6}" in cells_words(params, activation)


def test_a_text_of_two_tokens_has_two_cells_and_an_exploded_network_is_drawn():
    params = init_params(8, 6, rng=np.random.default_rng(3), dtype=np.float64)
    params.W_hh[:] = np.inf
    u = unroll(params, TEXT[:2], TEXT[1:3])
    scene = cells_scene(u, params, ["b", "c"], VOCAB)
    json.dumps(scene, allow_nan=False)
    assert len(scene["grids"]) == 6
