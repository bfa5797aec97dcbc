import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.initialisation import init_params
from core.models.loss import cross_entropy, perplexity
from core.models.ngram import NgramReader, fit
from core.models.rnn import forward
from core.models.sampling import (
    NextToken,
    Reader,
    RnnReader,
    Writer,
    apply_temperature,
    draw,
    generate,
    next_distribution,
    score,
    score_pairs,
)

V = 6


class Successor:
    """After token i most probably comes i + 1; its state counts the tokens read."""

    vocab_size = V

    def start(self):
        return 0

    def step(self, state, token):
        logits = np.zeros(V)
        logits[(token + 1) % V] = 2.0
        return state + 1, logits


def reader(seed=0, D=0):
    return RnnReader(init_params(V, 9, embedding_size=D, gain=1.5, rng=np.random.default_rng(seed), dtype=np.float64))


def dice(seed=0):
    return np.random.default_rng(seed)


@pytest.mark.parametrize("D", [0, 4])
def test_a_network_read_token_by_token_is_the_network(D):
    model, tokens = reader(D=D), np.array([3, 1, 4, 1, 5])
    trace, state = forward(model.params, tokens[:, None]), model.start()
    for t, token in enumerate(tokens):
        state, logits = model.step(state, int(token))
        np.testing.assert_allclose(logits, trace.logits[t, 0], rtol=1e-12)
    np.testing.assert_allclose(state, trace.h[-1], rtol=1e-12)


def test_reading_leaves_states_as_they_were():
    model = reader()
    state, _ = model.step(model.start(), 1)
    before = state.copy()
    first = model.step(state, 2)[1]
    np.testing.assert_array_equal(state, before)
    np.testing.assert_array_equal(model.step(state, 2)[1], first)


def test_any_model_can_write():
    assert isinstance(Successor(), NextToken)
    assert isinstance(reader(), NextToken)
    ids = generate(Successor(), prompt=[0, 3], length=8, temperature=0, rng=dice())
    np.testing.assert_array_equal(ids, [4, 5, 0, 1, 2, 3, 4, 5])


def test_the_same_dice_write_the_same_text():
    texts = [generate(reader(), prompt=[1], length=50, temperature=1.0, rng=dice(seed)) for seed in (1, 1, 2)]
    np.testing.assert_array_equal(texts[0], texts[1])
    assert not np.array_equal(texts[0], texts[2])
    assert set(texts[0]) <= set(range(V))
    assert len(generate(reader(), prompt=[1], length=0, temperature=1.0, rng=dice())) == 0


def test_tokens_are_drawn_as_often_as_they_are_probable():
    ids = generate(Successor(), prompt=[0], length=4_000, temperature=1.0, rng=dice())
    successors = np.mean(np.diff(np.concatenate(([0], ids))) % V == 1)
    assert successors == pytest.approx(np.exp(2) / (np.exp(2) + V - 1), abs=0.03)


def test_temperature():
    logits = np.array([1.0, 3.0, 2.0])
    np.testing.assert_allclose(next_distribution(logits), np.exp(logits) / np.exp(logits).sum())
    np.testing.assert_allclose(next_distribution(logits, 0.5), next_distribution(2 * logits))
    np.testing.assert_allclose(next_distribution(logits, 1e9), 1 / 3, rtol=1e-8)
    np.testing.assert_array_equal(next_distribution(logits, 0), [0, 1, 0])
    np.testing.assert_array_equal(next_distribution(logits, 1e-320), [0, 1, 0])
    assert apply_temperature(logits, 2.0).max() == 0


def test_a_score_of_minus_infinity_is_impossible():
    np.testing.assert_allclose(next_distribution(np.array([0, -np.inf, 0])), [0.5, 0, 0.5])


@pytest.mark.parametrize("bad", [[np.nan, 0, 0], [np.inf, 0, 0], [-np.inf] * 3])
def test_an_exploded_network_cannot_write_and_says_so(bad):
    with pytest.raises(ValueError, match=r"\w+ \w+ .*\."):
        next_distribution(np.array(bad))
    model = reader()
    model.params.flat[:] = bad[0]
    with pytest.raises(ValueError):
        generate(model, prompt=[0], length=3, temperature=1.0, rng=dice())


@pytest.mark.parametrize("prompt", [[], [V], [-1]])
def test_a_prompt_must_be_tokens_of_the_vocabulary(prompt):
    with pytest.raises(ValueError):
        generate(reader(), prompt=prompt, length=3, temperature=1.0, rng=dice())


def test_a_negative_temperature_is_refused():
    with pytest.raises(ValueError):
        next_distribution(np.zeros(3), -1.0)


def test_scores_are_surprises_in_nats():
    model, tokens = reader(), np.array([3, 1, 4, 1, 5])
    nats = score(model, tokens)
    logits = forward(model.params, tokens[:-1, None]).logits[:, 0]
    expected = [-np.log(next_distribution(row)[t]) for row, t in zip(logits, tokens[1:], strict=True)]
    np.testing.assert_allclose(nats, expected, rtol=1e-12)
    assert len(score(model, [2])) == 0


TEXTS = st.lists(st.integers(0, V - 1), min_size=2, max_size=40)
COUNTED = fit(np.array([0, 1, 2, 0, 1, 3, 0, 1, 2, 4, 4]), V)
MODELS = {
    "rnn": reader(),
    "rnn with an embedding": reader(D=4),
    "uniform": NgramReader(COUNTED, 0),
    "unigram": NgramReader(COUNTED, 1),
    "trigram": NgramReader(COUNTED, 3),
    "5-gram": NgramReader(COUNTED, 5),
    "token by token": Successor(),
}
every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


def by_steps(model, text):
    """Logits after each token, as :meth:`step` gives them."""
    state, rows = model.start(), []
    for token in text:
        state, scores = model.step(state, token)
        rows.append(scores)
    return np.stack(rows)


@every_model
@settings(max_examples=30)
@given(text=TEXTS)
def test_scores_are_the_cross_entropy_of_every_model(model, text):
    expected = cross_entropy(by_steps(model, text[:-1])[:, None], np.array(text[1:])[:, None])[:, 0]
    nats = score(model, text)
    np.testing.assert_allclose(nats, expected, rtol=1e-12, atol=1e-12)
    assert nats.sum() == pytest.approx(expected.sum(), rel=1e-12)
    assert perplexity(nats) >= 1


@every_model
@settings(max_examples=30)
@given(text=TEXTS, data=st.data())
def test_a_text_scored_in_parts_is_the_text_scored_at_once(model, text, data):
    ids, cut = np.array(text), data.draw(st.integers(0, len(text) - 1))
    first, state = score_pairs(model, ids[:-1][:cut], ids[1:][:cut])
    second, _ = score_pairs(model, ids[:-1][cut:], ids[1:][cut:], state)
    np.testing.assert_allclose(np.concatenate([first, second]), score(model, ids), rtol=1e-12, atol=1e-12)


@every_model
@settings(max_examples=30)
@given(texts=st.lists(TEXTS, min_size=2, max_size=5), data=st.data())
def test_the_order_of_windows_does_not_change_the_perplexity(model, texts, data):
    order = data.draw(st.permutations(range(len(texts))))
    nats = [score(model, text) for text in texts]
    total = perplexity(np.concatenate(nats))
    assert perplexity(np.concatenate([nats[i] for i in order])) == pytest.approx(total, rel=1e-12)


@given(TEXTS)
def test_who_knows_nothing_chooses_among_all(text):
    assert perplexity(score(NgramReader(COUNTED, 0), text)) == pytest.approx(V, rel=1e-12)


def test_a_long_text_is_read_in_pieces(monkeypatch):
    text = dice().integers(V, size=200)
    whole = {name: score(model, text) for name, model in MODELS.items()}
    monkeypatch.setattr("core.models.sampling.AT_ONCE", 7 * V)
    for name, model in MODELS.items():
        np.testing.assert_allclose(score(model, text), whole[name], rtol=1e-12)


@every_model
def test_every_model_can_read_and_write(model):
    assert isinstance(model, NextToken)
    assert isinstance(model, Reader) == (not isinstance(model, Successor))
    assert len(generate(model, prompt=[0, 1], length=5, temperature=1.0, rng=dice())) == 5


def test_what_is_impossible_is_infinitely_surprising():
    class Never(Successor):
        def step(self, state, token):
            return state, np.array([0.0, -np.inf, 0, 0, 0, 0])

    np.testing.assert_allclose(score(Never(), [0, 0, 1]), [math.log(V - 1), math.inf])


def test_a_network_without_numbers_has_no_surprise_to_tell():
    model = reader()
    model.params.flat[:] = np.nan
    assert np.isnan(score(model, [0, 1, 2])).all()


@pytest.mark.parametrize("text", [[0, V], [-1, 0]])
def test_a_text_must_be_of_the_vocabulary(text):
    with pytest.raises(ValueError):
        score(reader(), text)


def test_a_hundred_thousand_draws_follow_the_distribution():
    draws = draw(next_distribution(np.log([0.4, 0.3, 0.15, 0.1, 0.04, 0.01]) - 3), dice(7), 100_000)
    expected = 100_000 * np.array([0.4, 0.3, 0.15, 0.1, 0.04, 0.01])
    chi_square = ((np.bincount(draws, minlength=V) - expected) ** 2 / expected).sum()
    assert chi_square < 15.09  # of five degrees of freedom, 1 in 100 is larger


@pytest.mark.parametrize("model", [reader(), NgramReader(COUNTED, 3)], ids=["rnn", "trigram"])
def test_always_the_most_probable_is_the_limit_of_low_temperatures(model):
    greedy = generate(model, prompt=[0], length=30, temperature=0, rng=dice())
    cold = generate(model, prompt=[0], length=30, temperature=1e-6, rng=dice(1))
    np.testing.assert_array_equal(cold, greedy)
    _, scores = model.step(model.start(), 0)
    distances = [np.abs(next_distribution(scores, 2.0**-i) - next_distribution(scores, 0)).sum() for i in range(12)]
    assert distances == sorted(distances, reverse=True)
    assert distances[-1] < 1e-9


def test_the_temperature_can_be_turned_while_it_writes():
    writer = Writer(reader(), [0], dice())
    first = [writer.write(1.0) for _ in range(5)]
    best = int(writer.scores.argmax())
    assert writer.write(0) == best
    again = Writer(reader(), [0], dice())
    assert [again.write(1.0) for _ in range(5)] == first
