"""Every matrix is drawn to one scale."""

import json

import numpy as np
import pytest

from core.analysis.recurrent_step.shapes import numbers
from core.figures.recurrent_step.blocks import WIDTH
from core.figures.recurrent_step.shapes import rows_scene, shapes_scene, shapes_words
from core.models.initialisation import init_params
from core.text.tokenizer import Tokenizer


@pytest.mark.parametrize(("N", "D", "H", "V"), [(32, 0, 128, 103), (1, 8, 1, 2), (256, 256, 512, 10_000), (1, 0, 512, 2)])
@pytest.mark.parametrize("T", [1, 35, 1000])
def test_shapes_are_drawn_to_one_scale(N, D, H, V, T):
    scene = shapes_scene(N, D, H, V, T, "tanh")
    json.dumps([scene, shapes_words(numbers(N, D, H, V))])
    boxes = [item for line in scene["lines"] for item in line if isinstance(item, dict)]
    columns = [int("".join(filter(str.isdigit, box["says"].split("×")[1]))) for box in boxes]
    assert len({round(box["w"] / many, 2) for box, many in zip(boxes, columns, strict=True)}) == 1
    assert {box["name"] for box in boxes} >= {"X_t", "W_{xh}", "H_{t−1}", "W_{hh}", "H_t", "W_{hq}", "O_t"}
    for line in scene["lines"]:
        assert sum(box["w"] + (box["copies"] - 1) * box["every"] for box in line if isinstance(box, dict)) < WIDTH
    assert boxes[-1]["copies"] == T


def test_more_steps_need_more_states_and_no_more_parameters():
    learnt, grows = shapes_words(numbers(4, 2, 8, 10, (1, 50)))[1:]
    assert len({number for _, number in learnt["rows"]}) == 1
    assert [number for _, number in grows["rows"]] == ["32", "1\u2009600"]


@pytest.mark.parametrize("D", [0, 3])
def test_the_rows_of_the_input_are_rows_of_the_text(D):
    window = np.array([[0, 1, 2], [2, 2, 0], [1, 0, 1]])
    params = init_params(4, 5, embedding_size=D, rng=np.random.default_rng(3), dtype=np.float64)
    scene = rows_scene(window, 7, 100, params, Tokenizer(("a", " ", "<", "_"), "char"))
    json.dumps(scene, allow_nan=False)
    assert [(row["text"], row["token"]) for row in scene["rows"]] == [("a·", "<"), ("<<", "a"), ("·a", "·")]
    assert scene["shape"].startswith(f"7×{D or 4}")
    assert scene["more"] == "and 4 rows more"
    levels = [[level for level, _ in row["cells"]] for row in scene["rows"]]
    rows = np.eye(4)[window[:, -1]] if not D else params.W_emb[window[:, -1]] / np.abs(params.W_emb[window[:, -1]]).max()
    np.testing.assert_allclose(levels, rows, atol=6e-4)
    assert "too short" in rows_scene(window, 7, 20, params, Tokenizer(("a", " ", "<", "_"), "char"))["says"]
