"""Counting against learning, drawn: one picture by position, and two networks beside their tables."""

import math

import pytest

from core.analysis.position import Table, position_bins
from core.figures.perplexity.against_counting import (
    Memorising,
    memorising_figure,
    memorising_grid,
    memorising_label,
    position_figure,
    position_label,
)
from core.models.ngram import NAMES
from core.training.curves import Point


def drawn(bins, counted):
    """The names of what is drawn where no state was carried."""
    return [curve["name"] for curve in position_figure(bins, counted, [9.0] * len(bins), math.nan, "character")["data"]]


def test_n_grams_are_lines_and_the_network_the_thick_one():
    bins = position_bins(8)
    counted = [[10.0 - order] * len(bins) for order in range(6)]
    figure = position_figure(bins, counted, [9.0 - i for i in range(len(bins))], 4.0, "character")
    widths = {curve["name"]: curve["line"]["width"] for curve in figure["data"]}
    assert {*NAMES[:6], "the network", "state carried"} == set(widths)
    assert max(widths, key=widths.get) == "the network"
    assert all(low < high for low, high in zip(figure["data"][0]["x"], figure["data"][0]["x"][1:], strict=False))
    assert "state carried" not in drawn(bins, counted)
    counted[0] = [5000.0] * len(bins)
    assert {*drawn(bins, counted)} == {*NAMES[1:6], "the network"}  # uniform is too far up
    assert position_label(bins, [9.0] * len(bins))


@pytest.mark.parametrize("T", [1, 2, 40])
def test_any_window_and_any_network_can_be_drawn(T):
    bins = position_bins(T)
    figure = position_figure(bins, [[2.0] * len(bins)] * 6, [math.inf] * len(bins), math.nan, "symbol")
    assert all(map(math.isfinite, [*figure["layout"]["xaxis"]["range"], *figure["layout"]["yaxis"]["range"]]))


def test_each_network_stands_beside_its_table():
    curve = [Point(0, 0, 0.0, math.log(300)), Point(10, 500, 0.1, math.log(100)), Point(100, 5000, 1.0, math.log(5))]
    runs = [Memorising("1 000 words", curve, Table(4.6, 750), 92_058, 5.3, 1000, 358)]
    runs.append(Memorising("10 000 words", curve[:1], Table(11.0, 6357), 461_697, 0.0, 10_000, 2197))
    figure = memorising_figure(runs, 1900)
    assert [10 ** curve["y"][-1] for curve in figure["data"]] == pytest.approx([5, 4.6, 300, 11], rel=1e-3)
    assert len(figure["layout"]["annotations"]) == 4
    assert all(0 <= label["y"] <= 1 for label in figure["layout"]["annotations"])
    assert len(memorising_grid(runs)["rows"]) == 2
    assert memorising_label(runs)
