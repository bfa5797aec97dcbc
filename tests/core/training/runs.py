"""Small texts, settings and runs for tests."""

from collections.abc import Iterator
from itertools import islice
from typing import TypeVar

import numpy as np
import pytest

from core.config.settings import Settings
from core.text.corpus import Corpus, Stream, load_corpus
from core.text.tokenizer import Tokenizer
from core.training.run.monitored_trainer import MonitoredTrainer
from core.training.tbptt import Trainer

SMALL = Settings(corpus="lag", max_tokens=3000, hidden_size=8, batch_size=4, num_steps=5, cosine_until=0)
TEXT = "the cat sat on the mat and the dog sat on the log, said the cat to the dog. " * 60
ON_TEXT = SMALL.but(corpus="own", max_tokens=0)
VARIED = {
    "adam": ON_TEXT,
    "sgd": ON_TEXT.but(optimizer="sgd", learning_rate=0.5),
    "adagrad, double precision": ON_TEXT.but(optimizer="adagrad", dtype="float64", activation="sigmoid"),
    "words and embedding": ON_TEXT.but(unit="word", embedding_size=6, vocab_cap=9),
    "decay and schedule": ON_TEXT.but(weight_decay=0.3, cosine_until=50),  # the learning rate is zero after update 50
    "reset, nothing held out": ON_TEXT.but(carry_state=False, validation_share=0.0, activation="relu"),
    "lag": ON_TEXT.but(corpus="lag", max_tokens=3000, truncation=3),
    "echo": ON_TEXT.but(corpus="echo", max_tokens=3000, carry_state=False),
    "short text, many epochs": ON_TEXT.but(max_tokens=200, validation_share=0.2),
}
varied = pytest.mark.parametrize("settings", VARIED.values(), ids=VARIED)
Run = TypeVar("Run", bound=Iterator)  # a trainer, or an iterator that drives trainers


def corpus(train, held_out=None, V: int = 5) -> Corpus:
    """A corpus of the given token ids."""
    streams = [ids if ids is None else np.asarray(ids, np.int32) for ids in (train, held_out)]
    pairs = [ids if ids is None else Stream(ids[:-1], ids[1:]) for ids in streams]
    return Corpus("ids", Tokenizer(tuple(chr(ord("a") + i) for i in range(V))), *pairs)


def lag_text(settings: Settings = SMALL) -> Corpus:
    return load_corpus(settings)


def monitored(settings: Settings = ON_TEXT, text: str = TEXT) -> MonitoredTrainer:
    """A run that has not begun."""
    corpus = load_corpus(settings, text)
    return MonitoredTrainer(Trainer(settings, corpus), corpus)


def advance(run: Run, updates: int) -> Run:
    for _ in islice(run, updates):
        pass
    return run
