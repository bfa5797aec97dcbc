"""Sizes as bars, the largest above; a gap that is never drawn below the entropy."""

import math

import pytest

from core.analysis.compression import model_size, plain_sizes
from core.analysis.divergence import Gap
from core.figures.perplexity.compression import Passed, gap_figure, gap_label, gap_words, sizes_figure, sizes_label, sizes_words

TEXT = "abcd" * 100
H = 0.2


def sizes(nats=300.0):
    return [*plain_sizes(TEXT, 400, 4), model_size("bigram", "counted", 350.0, 400), model_size("RNN", "network", nats, 400)]


@pytest.mark.parametrize("nats", [300.0, 3000.0, math.nan, math.inf])
def test_every_size_has_a_bar(nats):
    figure = sizes_figure(sizes(nats), "character", 0.3)
    bars = figure["data"][0]
    assert len(bars["x"]) == len(bars["y"]) == len(bars["text"]) == 4
    assert figure["layout"]["shapes"][0]["x0"] == 0.3
    assert math.isfinite(figure["layout"]["xaxis"]["range"][1])
    assert sizes_words(sizes(nats), 4, "character", None)
    assert sizes_label(sizes(nats), "character")


def test_the_smallest_size_is_at_the_foot():
    bars = sizes_figure(sizes(), "character", None)["data"][0]
    assert bars["x"] == sorted(bars["x"])
    assert bars["x"][-1] == 8


def gap(divergence, luck=0.0):
    return Gap(H + divergence, H, divergence, H + divergence + luck)


def test_the_shade_lies_between_the_two():
    passed = [Passed(0, gap(0.5)), Passed(10, gap(0.2, -0.3)), Passed(100, gap(0.01))]
    best, above, dots = gap_figure(passed, 4)["data"]
    assert all(low <= high for low, high in zip(best["y"], above["y"], strict=True))
    assert above["fill"] == "tonexty"
    assert dots["mode"] == "markers"
    assert len({*best["x"]}) == 3
    assert "0.303 = 0.289 + 0.0144" in gap_words(passed[-1].gap, 4)[0]["sentences"][0][0][0]
    assert gap_label(passed)


def test_a_gap_without_end_is_drawn_as_far_as_it_can_be():
    figure = gap_figure([Passed(0, gap(0.5)), Passed(5, gap(math.inf))], 4)
    assert figure["data"][1]["y"][1] is None
    assert math.isfinite(figure["layout"]["yaxis"]["range"][1])
