"""Perplexity on words that a network was not trained on."""

import math

import numpy as np
import pytest

from core.analysis.unseen import unseen_text
from core.models.sampling import RnnReader, score
from core.text.tokenizer import Tokenizer
from tests.core.networks import network

WORDS = Tokenizer(("it", "is", "raining", "outside"), "word")


def test_passages_of_known_words_are_read_from_zeros():
    params = network(WORDS.size, 5)
    text = ["it", "is", "now", "raining", "outside", "today", "is", "it", "is"]
    found = unseen_text(params, WORDS, text)
    passages = [WORDS.encode(passage) for passage in ("it is", "raining outside", "is it is")]
    losses = np.concatenate([score(RnnReader(params, "tanh"), ids) for ids in passages])
    assert (found.count, found.nats) == (4, pytest.approx(losses.sum(), rel=1e-5))
    assert found.perplexity == pytest.approx(math.exp(losses.mean()), rel=1e-5)


@pytest.mark.parametrize("text", ["", "now", "it now is"])
def test_without_two_known_words_in_a_row_there_is_no_perplexity(text):
    assert math.isnan(unseen_text(network(WORDS.size, 5), WORDS, text.split()).perplexity)
