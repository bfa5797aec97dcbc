import math

import numpy as np
import pytest

from core.analysis import position
from core.analysis.position import perplexities, plain_bigrams, position_bins, window_starts
from core.models.loss import cross_entropy
from core.models.ngram import fit
from core.models.rnn import forward
from core.text.token_stream import Stream
from tests.core.networks import network, stream

V, T = 7, 9


def text(length: int) -> Stream:
    return stream(np.random.default_rng(0).integers(V, size=length + 1))


@pytest.mark.parametrize("T", [1, 3, 5, 32, 100])
def test_bins_cover_every_position_once_and_have_the_perplexity_of_their_losses(T):
    bins, losses = position_bins(T), np.random.default_rng(3).exponential(size=(T, 20))
    covered = [t for each in bins for t in range(each.first, each.last + 1)]
    assert covered == list(range(1, T + 1))
    expected = [math.exp(losses[each.first - 1 : each.last].mean()) for each in bins]
    assert perplexities(losses, bins) == pytest.approx(expected)


def test_windows_lie_within_the_text():
    for length, many in ((8, 0), (9, 1), (11, 3), (500, 5)):
        starts = window_starts(length, T, 5)
        assert len(starts) == many
        assert all(0 <= start <= length - T for start in starts)


def test_the_network_reads_each_window_from_an_empty_state():
    params, judged = network(V, 6), text(60)
    starts = window_starts(len(judged), T, 4)
    losses = np.concatenate(list(position.network_by_position(params, judged, starts, T)), axis=1)
    assert losses.shape == (T, 4)
    for column, start in enumerate(starts):
        inputs, targets = (ids[start : start + T, None] for ids in (judged.inputs, judged.targets))
        assert losses[:, column] == pytest.approx(cross_entropy(forward(params, inputs).logits, targets)[:, 0])


def test_counting_models_know_only_the_window():
    judged, model = text(300), fit(np.random.default_rng(2).integers(V, size=900), V)
    starts = window_starts(len(judged), T, 6)
    by_order = position.counting_by_position(model, judged, starts, T)
    assert len(by_order) == len(model.grams) + 1
    for order, losses in enumerate(by_order):
        for column, start in enumerate(starts):
            assert losses[:, column] == pytest.approx(list(model.losses(judged[start : start + T]))[order])


@pytest.mark.parametrize("vocab_size", [4, 3000])
def test_plain_bigram_counts_and_their_infinite_perplexity_elsewhere(vocab_size):
    train = stream([0, 1, 0, 1, 0, 2, 0])
    table = plain_bigrams(train, train, vocab_size)
    assert table.perplexity == pytest.approx(math.exp(-(2 * math.log(2 / 3) + math.log(1 / 3)) / 6))
    assert table.stored == 4
    assert plain_bigrams(train, stream([0, 3]), vocab_size).perplexity == math.inf
