"""Small texts to train on."""

import numpy as np

from core.settings import Settings
from core.text.corpus import Corpus, Stream, load_corpus
from core.text.tokenizer import Tokenizer

SMALL = Settings(corpus="lag", max_tokens=3000, hidden_size=8, batch_size=4, num_steps=5, cosine_until=0)


def stream(ids) -> Stream:
    ids = np.asarray(ids, np.int32)
    return Stream(ids[:-1], ids[1:])


def lag_text(settings: Settings = SMALL) -> Corpus:
    return load_corpus(settings)


def corpus(train, held_out=None, V=5) -> Corpus:
    """A corpus of the given ids."""
    return Corpus(
        name="ids",
        tokenizer=Tokenizer(tuple("abcdefghijklmnop"[:V])),
        train=stream(train),
        held_out=None if held_out is None else stream(held_out),
    )
