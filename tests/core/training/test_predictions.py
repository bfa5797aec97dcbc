"""The outcomes of predictions are those of the run itself, and change nothing in it."""

import math

import numpy as np
import pytest

from core.config.settings import Settings
from core.models.ngram import Baseline
from core.text.corpus import load_corpus
from core.training.experiments import predictions
from core.training.tbptt import Trainer

SETTINGS = Settings(
    corpus="lag", max_tokens=4000, hidden_size=8, batch_size=4, num_steps=12, truncation=4, clip_norm=0.0, optimizer="sgd"
)


@pytest.fixture(scope="module")
def corpus():
    return load_corpus(SETTINGS)


@pytest.fixture
def trainer(corpus):
    made = Trainer(SETTINGS, corpus)
    for _ in range(20):
        next(made)
    return made


@pytest.mark.parametrize("name", predictions.COMPUTED)
def test_an_outcome_changes_nothing(trainer, corpus, name):
    before = trainer.state()
    outcome = predictions.COMPUTED[name](trainer, corpus)
    assert outcome.right in (0, 1, 2)
    assert all(map(math.isfinite, outcome.numbers))
    for key, value in before.items():
        np.testing.assert_array_equal(trainer.state()[key], value)


def test_the_norm_is_that_of_the_next_update_with_either_truncation(trainer, corpus):
    usual, halved = predictions.halved_truncation(trainer, corpus).numbers
    other = Trainer(SETTINGS.but(truncation=2), corpus)
    other.restore(trainer.state())
    assert usual == pytest.approx(next(trainer).grad_norm, rel=1e-4)
    assert halved == pytest.approx(next(other).grad_norm, rel=1e-4)


def test_the_perplexities_are_those_of_the_next_window(trainer, corpus):
    carried, zero = predictions.zero_state(trainer, corpus).numbers
    before, after, larger = predictions.tenfold(trainer, corpus).numbers
    reset = Trainer(SETTINGS.but(carry_state=False), corpus)
    reset.restore(trainer.state())
    assert zero == pytest.approx(next(reset).perplexity, rel=1e-4)
    assert carried == before == pytest.approx(next(trainer).perplexity, rel=1e-4)
    assert after != larger


def test_a_share_of_the_gradient_is_left(trainer, corpus):
    here, there, share = predictions.share_left(trainer, corpus).numbers
    assert share == pytest.approx(there / here)
    assert predictions.steps_back(trainer) == predictions.STEPS_BACK
    trainer.params.W_hh[...] = 0  # nothing goes back
    assert predictions.share_left(trainer, corpus) == (2, (pytest.approx(here, rel=0.5), 0.0, 0.0))


def test_a_network_whose_numbers_overflow_has_no_outcome(trainer, corpus):
    trainer.params.flat[...] = np.nan
    assert {one(trainer, corpus).right for one in predictions.COMPUTED.values()} == {-1}


@pytest.mark.parametrize(("perplexity", "right"), [(20.0, 0), (12.0, 1), (7.9, 2), (math.inf, -1), (math.nan, -1)])
def test_a_perplexity_lies_above_between_or_below_the_lines(perplexity, right):
    lines = [Baseline(name, order, line, 1, 1) for name, order, line in (("unigram", 1, 16.0), ("bigram", 2, 8.0))]
    assert predictions.against_lines(perplexity, *lines).right == right


@pytest.mark.parametrize(("guess", "right"), [(10.9, 0), (9.1, 0), (11.1, 2), (8.9, 1)])
def test_a_guess_is_right_within_ten_per_cent(guess, right):
    assert predictions.as_guessed(guess, 10.0).right == right
