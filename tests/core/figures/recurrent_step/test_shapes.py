"""Every matrix is drawn to one scale."""

import json

import pytest

from core.analysis.recurrent_step.shapes import numbers
from core.figures.recurrent_step.blocks import WIDTH
from core.figures.recurrent_step.shapes import shapes_scene, shapes_words


@pytest.mark.parametrize(("N", "D", "H", "V"), [(32, 0, 128, 103), (1, 8, 1, 2), (256, 256, 512, 10_000), (1, 0, 512, 2)])
def test_shapes_are_drawn_to_one_scale(N, D, H, V):
    scene = shapes_scene(N, D, H, V, "tanh")
    json.dumps([scene, shapes_words(numbers(N, D, H, V))])
    boxes = [item for line in scene["lines"] for item in line if isinstance(item, dict)]
    columns = [int("".join(filter(str.isdigit, box["says"].split("×")[1]))) for box in boxes]
    assert len({round(box["w"] / many, 2) for box, many in zip(boxes, columns, strict=True)}) == 1
    assert {box["name"] for box in boxes} >= {"X_t", "W_{xh}", "H_{t−1}", "W_{hh}", "H_t", "W_{hq}", "O_t"}
    for line in scene["lines"]:
        assert sum(box["w"] for box in line if isinstance(box, dict)) < WIDTH
