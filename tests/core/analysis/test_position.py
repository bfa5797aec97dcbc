"""At position t of a window a model knows t tokens; counting models are judged so too."""

import math

import numpy as np
import pytest

from core.analysis.position import (
    counting_by_position,
    network_by_position,
    perplexities,
    plain_bigrams,
    position_bins,
    window_starts,
)
from core.models.initialisation import init_params
from core.models.loss import cross_entropy
from core.models.ngram import fit
from core.models.rnn import forward
from core.text.corpus import Stream

V, T = 7, 9


def stream(length, seed=0):
    ids = np.random.default_rng(seed).integers(V, size=length + 1).astype(np.int32)
    return Stream(ids[:-1], ids[1:])


@pytest.mark.parametrize("T", [1, 3, 5, 32, 100])
def test_bins_cover_every_position_once(T):
    bins = position_bins(T)
    covered = [t for each in bins for t in range(each.first, each.last + 1)]
    assert covered == list(range(1, T + 1))


@pytest.mark.parametrize(("length", "most", "many"), [(8, 5, 0), (9, 5, 1), (11, 5, 3), (500, 5, 5)])
def test_windows_lie_within_the_text(length, most, many):
    starts = window_starts(length, T, most)
    assert len(starts) == many
    assert all(0 <= start <= length - T for start in starts)


def test_the_network_reads_each_window_from_an_empty_state():
    params, text = init_params(V, 6, rng=np.random.default_rng(1), dtype=np.float64), stream(60)
    starts = window_starts(len(text), T, 4)
    losses = np.concatenate(list(network_by_position(params, text, starts, T)), axis=1)
    for column, start in enumerate(starts):
        window = slice(start, start + T)
        alone = cross_entropy(forward(params, text.inputs[window, None]).logits, text.targets[window, None])[:, 0]
        assert losses[:, column] == pytest.approx(alone)


def test_counting_models_know_no_more_than_the_window():
    text, model = stream(300), fit(np.random.default_rng(2).integers(V, size=900), V)
    starts = window_starts(len(text), T, 6)
    by_order = counting_by_position(model, text, starts, T)
    assert len(by_order) == model.max_order + 1
    for order, losses in enumerate(by_order):
        for column, start in enumerate(starts):
            window = Stream(text.inputs[start : start + T], text.targets[start : start + T])
            alone = model.nats(order, window)
            assert losses[:, column] == pytest.approx(alone)


def test_the_same_losses_whatever_the_bins():
    losses = np.random.default_rng(3).exponential(size=(T, 20))
    assert perplexities(losses, position_bins(T))[0] == pytest.approx(math.exp(losses[0].mean()))


@pytest.mark.parametrize("vocab_size", [4, 3000])
def test_a_table_of_plain_counts_knows_its_text_and_nothing_else(vocab_size):
    ids = np.array([0, 1, 0, 1, 0, 2, 0], np.int32)
    text = Stream(ids[:-1], ids[1:])
    table = plain_bigrams(text, text, vocab_size)
    assert table.perplexity == pytest.approx(math.exp(-(2 * math.log(2 / 3) + math.log(1 / 3)) / 6))
    assert table.stored == 4
    other = Stream(ids[:1], np.array([3], np.int32))
    assert plain_bigrams(text, other, vocab_size).perplexity == math.inf
