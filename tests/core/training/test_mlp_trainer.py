import math
from itertools import islice

import numpy as np
import pytest

from core.config.settings import Settings
from core.models.loss import cross_entropy
from core.models.mlp import forward
from core.models.ngram import baselines, fit, tokens_of
from core.text.corpus import load_corpus
from core.training.mlp_trainer import MlpTrainer
from core.training.tbptt import Trainer
from tests.core.training.runs import advance

SMALL = Settings(max_tokens=20_000, hidden_size=32, batch_size=16, num_steps=16)


@pytest.fixture(scope="module")
def corpus():
    return load_corpus(SMALL)


@pytest.mark.parametrize("optimizer", ["sgd", "adagrad", "adam"])
def test_where_the_state_cannot_count_its_updates_are_those_of_the_recurrent_one(corpus, optimizer):
    """Both are one network then: the same weights at the beginning, rate in force, decay and clipping."""
    settings = SMALL.but(gain=0.0, num_steps=1, carry_state=False, weight_decay=0.4, cosine_until=30, learning_rate=0.02)
    mine, theirs = (make(settings.but(optimizer=optimizer), corpus) for make in (MlpTrainer, Trainer))
    for name, array in mine.params.named().items():
        np.testing.assert_array_equal(array, getattr(theirs.params, name))
    for _ in range(40):
        assert next(mine) == pytest.approx(next(theirs).loss, rel=1e-5)
    for name, array in mine.params.named().items():
        np.testing.assert_allclose(array, getattr(theirs.params, name), rtol=1e-3, atol=1e-5)


def test_its_perplexity_ends_between_unigram_and_bigram(corpus):
    trainer = advance(MlpTrainer(SMALL, corpus), 600)
    counted = fit(tokens_of(corpus.train), corpus.tokenizer.size)
    lines = baselines(counted, counted.losses(corpus.held_out))
    assert lines[2].perplexity * 0.9 < math.exp(trainer.judge(corpus.held_out)) < lines[1].perplexity
    assert trainer.step == 600


def test_the_judgement_is_the_mean_over_all_tokens(corpus):
    trainer = MlpTrainer(SMALL, corpus)
    inputs, targets = corpus.train.inputs[:9000], corpus.train.targets[:9000]
    whole = cross_entropy(forward(trainer.params, inputs[:, None])[1], targets[:, None]).mean(dtype=np.float64)
    assert trainer.judge(type(corpus.train)(inputs, targets)) == pytest.approx(float(whole), rel=1e-6)


def test_it_stops_where_numbers_are_not_finite(corpus):
    trainer = MlpTrainer(SMALL, corpus)
    next(trainer)
    trainer.params.W_hq[0, 0] = np.nan
    before = trainer.params.flat.copy()
    assert list(islice(trainer, 50)) == []
    np.testing.assert_array_equal(trainer.params.flat, before)
