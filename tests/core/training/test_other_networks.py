import math

import numpy as np
import pytest

from core.config.settings import Settings
from core.models.ngram import baselines, fit, tokens_of
from core.models.sampling import RnnReader, score
from core.text.corpus import load_corpus
from core.training.experiments.comparisons import small_network, trainer_without_state
from core.training.held_out import HeldOut
from core.training.tbptt import Trainer
from tests.core.training.runs import advance

RECIPE = Settings(hidden_size=12, init="xavier", gain=0.9, input_scale=None, output_scale=0.1, learning_rate=0.01)


@pytest.mark.parametrize(("text", "unit", "before"), [("machine", "char", ""), ("you say hello .", "word", ". ")])
def test_it_learns_its_text(text, unit, before):
    def loss(updates):
        params, tokenizer = small_network(text, RECIPE.but(unit=unit), updates, before=before)
        return score(RnnReader(params), tokenizer.encode(before + text)).mean()

    assert loss(40) < loss(5) < loss(0)


def test_it_is_the_same_at_every_call_and_cannot_be_changed():
    (first, alone), (second, _) = (small_network("machine", RECIPE, 5) for _ in range(2))
    assert np.array_equal(first.flat, second.flat)
    with pytest.raises(ValueError):
        first.W_hh[0, 0] = 1
    assert small_network("machine", RECIPE, 0, before="e")[1] == alone  # what is read before adds no symbol


@pytest.mark.parametrize("optimizer", ["sgd", "adagrad", "adam"])
def test_the_network_without_a_state_is_the_recurrent_one_without_w_hh(optimizer):
    """The same first weights, and where the state is 0 at every step, the same updates."""
    settings = Settings(max_tokens=20_000, hidden_size=32, batch_size=16, num_steps=1, carry_state=False, optimizer=optimizer)
    settings = settings.but(weight_decay=0.4, cosine_until=30, learning_rate=0.02)
    corpus = load_corpus(settings)
    without, recurrent = trainer_without_state(settings, corpus), Trainer(settings, corpus)
    np.testing.assert_array_equal(without.params.W_xh, recurrent.params.W_xh)
    for _ in range(40):
        assert next(without).loss == pytest.approx(next(recurrent).loss, rel=1e-5)
    assert not without.params.W_hh.any()
    np.testing.assert_allclose(without.params.W_hq, recurrent.params.W_hq, rtol=1e-3, atol=1e-5)


def test_the_perplexity_without_a_state_ends_between_unigram_and_bigram():
    settings = Settings(max_tokens=20_000, hidden_size=32, batch_size=16, num_steps=16)
    corpus = load_corpus(settings)
    trainer = advance(trainer_without_state(settings, corpus), 600)
    counted, held_out = fit(tokens_of(corpus.train), corpus.tokenizer.size), HeldOut(settings, corpus)
    lines = baselines(counted, counted.losses(corpus.held_out))
    assert lines[2].perplexity * 0.9 < math.exp(held_out.judge(trainer.params, settings)) < lines[1].perplexity
