"""A thousand steps, drawn: every block where it is, and the numbers of both ways to read it."""

import json
from itertools import pairwise

import pytest

from core.analysis.cost import Line, Lines, in_blocks
from core.figures.truncation.long_text import long_text_figure, long_text_numbers, price_grid

LINES = Lines(Line(1e-4, 2e-4), Line(2e-4, 3e-4), Line(1000, 500), Line(0, 0))


@pytest.mark.parametrize("tau", [1, 7, 10, 1000])
def test_every_block_is_drawn_and_none_touches_the_next(tau):
    figure = long_text_figure(1000, tau)
    json.dumps(figure, allow_nan=False)
    *_, back = figure["data"]
    stretches = [back["x"][i : i + 2] for i in range(0, len(back["x"]), 3)]
    assert len(stretches) == -(-1000 // tau)
    assert all(end < start for (_, end), (start, _) in pairwise(stretches))


def test_the_numbers_are_those_of_both_ways():
    whole, cut = in_blocks(LINES, 1000, 1000), in_blocks(LINES, 1000, 10)
    rows = {name: values for name, *values in long_text_numbers(1000, whole, cut)["rows"]}
    assert rows["a loss reaches back, at most"] == ["999 steps", "9 steps"]
    assert rows["kept for the way back"] == ["1.00 MB", "10.5 kB"]
    assert rows["changes of the weights"] == ["1", "100"]
    assert long_text_numbers(1000, whole, whole)["sentence"]


def test_short_blocks_cost_time_and_long_ones_memory():
    made = price_grid(1000, 2, [in_blocks(LINES, 1000, tau) for tau in (1, 10, 1000)], 10)
    assert [one["tone"] for one in made["rows"]] == ["", "strong", ""]
    times, kept = ([one["cells"][i]["bar"] for one in made["rows"]] for i in (0, 1))
    assert times == sorted(times, reverse=True)
    assert kept == sorted(kept)
    assert made["rows"][0]["cells"][0]["text"] == "400 µs"
