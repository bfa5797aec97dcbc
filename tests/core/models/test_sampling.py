import math
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.models import sampling
from core.models.loss import cross_entropy
from core.models.ngram import NgramReader, fit
from core.models.sampling import RnnReader, Writer, generate, next_distribution, score
from tests.core.networks import network

V = 6


def reader(D: int = 0) -> RnnReader:
    return RnnReader(network(V, 9, D, gain=1.5))


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_a_step_does_not_change_the_state_it_is_given():
    model = reader()
    state, _ = model.step(model.start(), 1)
    before = state.copy()
    first = model.step(state, 2)[1]
    np.testing.assert_array_equal(state, before)
    np.testing.assert_array_equal(model.step(state, 2)[1], first)


def test_temperature_divides_the_logits():
    logits = np.array([1.0, 3.0, 2.0])
    np.testing.assert_allclose(next_distribution(logits), np.exp(logits) / np.exp(logits).sum())
    np.testing.assert_allclose(next_distribution(logits, 0.5), next_distribution(2 * logits))
    np.testing.assert_allclose(next_distribution(logits, 1e9), 1 / 3, rtol=1e-8)
    np.testing.assert_array_equal(next_distribution(logits, 0), [0, 1, 0])
    np.testing.assert_array_equal(next_distribution(logits, 1e-320), [0, 1, 0])
    np.testing.assert_allclose(next_distribution(np.array([0, -np.inf, 0])), [0.5, 0, 0.5])
    with pytest.raises(ValueError):
        next_distribution(logits, -1.0)


@pytest.mark.parametrize("bad", [[np.nan, 0, 0], [np.inf, 0, 0], [-np.inf] * 3])
def test_an_exploded_network_is_refused(bad):
    with pytest.raises(ValueError, match=r"\w+ \w+ .*\."):
        next_distribution(np.array(bad))
    model = reader()
    model.params.flat[:] = bad[0]
    with pytest.raises(ValueError):
        generate(model, prompt=[0], length=3, temperature=1.0, rng=rng())


TEXTS = st.lists(st.integers(0, V - 1), min_size=2, max_size=40)
COUNTED = fit(np.array([0, 1, 2, 0, 1, 3, 0, 1, 2, 4, 4]), V)
MODELS = {
    "rnn": reader(),
    "rnn with an embedding": reader(D=4),
    "uniform": NgramReader(COUNTED, 0),
    "unigram": NgramReader(COUNTED, 1),
    "trigram": NgramReader(COUNTED, 3),
    "5-gram": NgramReader(COUNTED, 5),
}
every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


@every_model
@given(text=TEXTS)
def test_scores_are_the_cross_entropy_of_the_steps(model, text):
    state, expected = model.start(), []
    for token, target in pairwise(text):
        state, logits = model.step(state, token)
        expected.append(cross_entropy(logits[None, None], np.array([[target]]))[0, 0])
    np.testing.assert_allclose(score(model, text), expected, rtol=1e-12, atol=1e-12)
    assert len(score(model, text[:1])) == 0


def test_a_long_text_read_in_pieces_has_the_same_scores(monkeypatch):
    text = rng().integers(V, size=200)
    whole = {name: score(model, text) for name, model in MODELS.items()}
    monkeypatch.setattr("core.models.sampling.AT_ONCE", 7 * V)
    for name, model in MODELS.items():
        np.testing.assert_allclose(score(model, text), whole[name], rtol=1e-12)


def test_every_model_continues_a_prompt():
    for model, length in product(MODELS.values(), (0, 5)):
        assert len(generate(model, prompt=[0, 1], length=length, temperature=1.0, rng=rng())) == length
    one_after_the_other = NgramReader(fit(np.arange(60) % V, V), 2)
    ids = generate(one_after_the_other, prompt=[0, 3], length=8, temperature=0, rng=rng())
    np.testing.assert_array_equal(ids, [4, 5, 0, 1, 2, 3, 4, 5])


def test_scores_of_impossible_tokens_are_infinite_and_of_nan_are_nan():
    model = reader()
    model.params.W_hq[:], model.params.b_q[:] = 0, [0, -np.inf, 0, 0, 0, 0]
    np.testing.assert_allclose(score(model, [0, 0, 1]), [math.log(V - 1), math.inf])
    model.params.flat[:] = np.nan
    assert np.isnan(score(model, [0, 1, 2])).all()


@pytest.mark.parametrize("ids", [[], [0, V], [-1, 0], [V]])
def test_tokens_outside_the_vocabulary_and_empty_prompts_are_refused(ids):
    with pytest.raises(ValueError):
        generate(reader(), prompt=ids, length=3, temperature=1.0, rng=rng())
    if len(ids) > 1:
        with pytest.raises(ValueError):
            score(reader(), ids)


def test_a_hundred_thousand_draws_follow_the_distribution():
    draws = sampling.draw(next_distribution(np.log([0.4, 0.3, 0.15, 0.1, 0.04, 0.01]) - 3), rng(7), 100_000)
    expected = 100_000 * np.array([0.4, 0.3, 0.15, 0.1, 0.04, 0.01])
    chi_square = ((np.bincount(draws, minlength=V) - expected) ** 2 / expected).sum()
    assert chi_square < 15.09  # the 99 % quantile for five degrees of freedom


@pytest.mark.parametrize("model", [reader(), NgramReader(COUNTED, 3)], ids=["rnn", "trigram"])
def test_temperature_zero_is_the_limit_of_low_temperatures(model):
    greedy = generate(model, prompt=[0], length=30, temperature=0, rng=rng())
    cold = generate(model, prompt=[0], length=30, temperature=1e-6, rng=rng(1))
    np.testing.assert_array_equal(cold, greedy)
    _, scores = model.step(model.start(), 0)
    distances = [np.abs(next_distribution(scores, 2.0**-i) - next_distribution(scores, 0)).sum() for i in range(12)]
    assert distances == sorted(distances, reverse=True)
    assert distances[-1] < 1e-9


def test_the_temperature_may_change_from_token_to_token():
    writer = Writer(reader(), [0], rng())
    first = [writer.write(1.0) for _ in range(5)]
    best = int(writer.scores.argmax())
    assert writer.write(0) == best
    again = Writer(reader(), [0], rng())
    assert [again.write(1.0) for _ in range(5)] == first
