"""The triangle of sizes: every cell its number and a shade in order, zeros and explosions in words."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.gradient_flow import GradientFlow
from core.figures.parts.triangle import NOT_FINITE, SHADES, ZERO, flow_triangle, shade, triangle_scene


def letters(T):
    return ["a"] * T


def flow(norms, of_sum):
    return GradientFlow(np.asarray(norms)[..., None], np.asarray(of_sum))


def test_every_cell_has_its_number():
    norms = np.tril(np.random.default_rng(0).lognormal(0, 3, (7, 7)))
    scene = triangle_scene(norms, letters(7), letters(7))
    assert [len(row) for row in scene["words"]] == [len(row) for row in scene["shades"]] == list(range(1, 8))
    assert scene["notes"] == []
    wide = triangle_scene(np.tril(np.full((3, 3), 2.5)), letters(3), letters(3))
    assert {word for row in wide["words"] for word in row} == {"2.50"}


@given(st.floats(1e-9, 1e9), st.floats(1e-9, 1e9), st.floats(1e-9, 1e9))
def test_a_larger_size_has_no_smaller_shade(small, large, largest):
    small, large, largest = sorted((small, large, largest))
    assert SHADES[0] <= shade(small, largest) <= shade(large, largest) <= shade(largest, largest) == SHADES[1]


def test_two_triangles_can_share_a_scale():
    norms = np.tril(np.ones((2, 2)))
    assert triangle_scene(norms, letters(2), letters(2))["shades"][0] == [SHADES[1]]
    assert triangle_scene(norms, letters(2), letters(2), largest=1000.0)["shades"][0] == [SHADES[0]]


def test_cancellation_is_shown_below():
    scene = flow_triangle(flow([[1.0, 0], [1, 2]], [0.5, 2]), letters(2), letters(2))
    assert scene["below"]["words"] == [["0.500", "2.00"], ["2.00", "2.00"]]
    assert scene["below"]["left"] == ["25 %", "100 %"]
    assert scene["below"]["bars"] == [[250, 1000], [1000, 1000]]


@pytest.mark.parametrize(
    ("norms", "of_sum", "kind", "said"),
    [([[0.0]], [0.0], ZERO, "zero"), ([[np.inf]], [np.inf], NOT_FINITE, "finite"), ([[np.nan]], [np.nan], NOT_FINITE, "finite")],
)
def test_what_has_no_logarithm_is_said_in_words(norms, of_sum, kind, said):
    scene = flow_triangle(flow(norms, of_sum), letters(1), letters(1))
    assert scene["shades"] == [[kind]]
    assert said in scene["notes"][0]
    json.dumps(scene, allow_nan=False)
