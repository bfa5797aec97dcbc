"""A network's perplexity on words that it was not trained on, as far as its vocabulary has them."""

import math
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from core.models.loss import perplexity_of
from core.models.params import Params
from core.models.sampling import RnnReader, score
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
    reader, nats, count = RnnReader(params, activation), 0.0, 0
    for known, passage in groupby(words, ids.__contains__):
        if known:
            losses = score(reader, [ids[word] for word in passage])
            nats, count = nats + float(losses.sum()), count + losses.size
    return Unseen(nats, count)
