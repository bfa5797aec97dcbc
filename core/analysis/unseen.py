"""A network's perplexity on words that it was not trained on, as far as its vocabulary has them."""

import math
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from core.models.loss import cross_entropy, perplexity_of
from core.models.params import Params
from core.models.rnn import forward
from core.text.tokenizer import Tokenizer


class Unseen(NamedTuple):
    """The sum of the losses of ``count`` words, in nats."""

    nats: float
    count: int

    @property
    def perplexity(self) -> float:
        """nan without any word."""
        return perplexity_of(self.nats / self.count) if self.count else math.nan


def unseen_text(params: Params, tokenizer: Tokenizer, words: Sequence[str], *, activation: str = "tanh") -> Unseen:
    """The losses of ``words``, in passages between those that the vocabulary does not have: each passage is read from a state of
    zeros, and its first word is not predicted."""
    ids = {word: i for i, word in enumerate(tokenizer.vocab)}
    nats, count = 0.0, 0
    for known, passage in groupby(words, ids.__contains__):
        read = np.array([ids[word] for word in passage])[:, None] if known else np.empty((0, 1), np.int64)
        if len(read) > 1:
            losses = cross_entropy(forward(params, read[:-1], activation=activation).logits, read[1:])
            nats, count = nats + float(losses.sum(dtype=np.float64)), count + losses.size
    return Unseen(nats, count)
