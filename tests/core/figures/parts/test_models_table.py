"""Counting against learning: one table of all models, whatever became of the network."""

import math

import pytest

from core.analysis.position import Table
from core.figures.parts.models_table import Network, models_grid


def test_every_model_has_a_row(watched, lines):
    V = watched.corpus.tokenizer.size
    network = Network("RNN, now", watched.trainer.params.flat.size, watched.look().judged.nats)
    scene = models_grid(lines, network, V, "character", Table(math.inf, 7))
    names = [row["name"] for row in scene["rows"]]
    assert {line.name for line in lines} | {"bigram, not smoothed", "RNN, now"} == set(names)
    assert all(len(row["cells"]) == len(scene["head"]) - 1 for row in scene["rows"])
    assert [row["tone"] for row in scene["rows"]].index("forward") == names.index("RNN, now")
    assert all(0 <= row["cells"][0]["bar"] <= 1 for row in scene["rows"])


@pytest.mark.parametrize(("nats", "said"), [(math.nan, "–"), (0.0, "1.00"), (1e6, "∞")])
def test_a_network_that_went_astray_still_has_its_row(nats, said):
    (row,) = models_grid([], Network("RNN", 10, nats), 2, "symbol")["rows"]
    assert row["cells"][0]["text"] == said
