"""Two products, one product: the numbers of both, and the sum of a cell written out."""

import json

import numpy as np
import pytest

from core.analysis.recurrent_step.matrices import draw_matrices
from core.analysis.recurrent_step.products import two_ways
from core.figures.recurrent_step.blocks import WIDTH
from core.figures.recurrent_step.products import products_scene

sizes = pytest.mark.parametrize(("N", "D", "H"), [(3, 1, 4), (1, 1, 1), (6, 6, 6), (2, 6, 1)])


def value(text):
    return float(text.replace("−", "-").strip("()"))


@sizes
@pytest.mark.parametrize("decimals", [1, 4])
def test_products_show_the_numbers(N, D, H, decimals):
    m = draw_matrices(N, D, H, np.random.default_rng(0), decimals=decimals)
    ways = two_ways(m)
    scene = products_scene(m, ways, decimals=decimals)
    json.dumps(scene, allow_nan=False)
    above, below = scene["equations"]
    for item, wanted in ((above[0], m.X), (above[2], m.W_xh), (above[4], m.H), (above[6], m.W_hh)):
        cells = item["parts"][0]["cells"]
        np.testing.assert_array_equal([[value(text) for text, _, _ in row] for row in cells], wanted)
    for item, wanted in ((above[8], ways.two), (below[4], ways.one)):
        cells = item["parts"][0]["cells"]
        np.testing.assert_allclose([[value(text) for _, _, text in row] for row in cells], wanted, atol=6e-7)
    assert below[0]["shape"] == f"{N}×{D + H}"
    assert below[2]["shape"] == f"{D + H}×{H}"


@sizes
def test_the_written_sum_is_a_sum(N, D, H):
    m = draw_matrices(N, D, H, np.random.default_rng(0))
    scene = products_scene(m, two_ways(m), decimals=1)
    for n in range(N):
        for j in range(H):
            addends, total = scene["sum"]["addends"][n][j], scene["sum"]["totals"][n][j]
            assert sum(value(product) for _, _, product, _ in addends) == pytest.approx(value(total), abs=1e-9)
            assert all(value(a) * value(b) == pytest.approx(value(p), abs=1e-9) for a, b, p, _ in addends)
            assert [tone for *_, tone in addends] == ["input"] * D + ["memory"] * H


def test_the_equation_of_the_second_source_fits_one_line():
    m = draw_matrices(3, 1, 4, np.random.default_rng(0))
    width, height, font = products_scene(m, two_ways(m), decimals=1)["cell"]
    assert (width, height, font) == (42, 30, 16)
    assert 17 * (width + 2) + 5 * 14 + 4 * 28 < WIDTH


def test_what_differs_by_rounding_alone_reads_the_same():
    for seed in range(60):
        m = draw_matrices(6, 6, 6, np.random.default_rng(seed))
        above, below = products_scene(m, two_ways(m), decimals=1)["equations"]
        read = [[[cell[0] for cell in row] for row in equation[-1]["parts"][0]["cells"]] for equation in (above, below)]
        assert read[0] == read[1]
