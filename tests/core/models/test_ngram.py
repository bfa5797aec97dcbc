"""Counting models: probabilities, the formula by another way, and the lines that are drawn."""

import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.ngram import NAMES, baselines, fit
from core.settings import Settings
from core.text.corpus import Stream, load_corpus

TEXTS = st.integers(1, 5).flatmap(
    lambda V: st.tuples(st.just(V), *[st.lists(st.integers(0, V - 1), max_size=30) for _ in range(2)])
)


def ids(values):
    return np.asarray(values, dtype=np.int32)


def stream(values):
    return Stream(ids(values)[:-1], ids(values)[1:])


def plainly(train, V, context, token):
    """The formula of the module's head, by dictionaries and recursion."""
    after = defaultdict(Counter)
    for n in range(len(context) + 1):
        for end in range(n, len(train)):
            after[tuple(train[end - n : end])][train[end]] += 1

    def p(h):
        shorter = 1 / V if h is None else p(h[1:] if h else None)
        seen = after[h] if h is not None else {}
        return (seen[token] + len(seen) * shorter) / (sum(seen.values()) + len(seen)) if seen else shorter

    return p(tuple(context))


@given(TEXTS, st.integers(0, 5))
def test_probabilities_after_any_context_sum_to_one(text, order):
    V, train, context = text
    p = fit(ids(train), V).distribution(order, context)
    assert p.shape == (V,)
    assert np.all(p > 0)
    assert p.sum() == pytest.approx(1, rel=1e-12)


@given(TEXTS, st.integers(1, 5))
def test_a_distribution_is_the_formula(text, order):
    V, train, context = text
    short = context[max(0, len(context) - order + 1) :] if order > 1 else []
    expected = [plainly(train, V, short, token) for token in range(V)]
    np.testing.assert_allclose(fit(ids(train), V).distribution(order, context), expected, rtol=1e-12)


@given(TEXTS, st.integers(0, 5))
def test_nats_are_those_of_the_distribution_after_what_the_stream_has_shown(text, order):
    V, train, judged = text
    model = fit(ids(train), V)
    expected = [-math.log(model.distribution(order, judged[:i])[judged[i]]) for i in range(1, len(judged))]
    got = model.nats(order, stream(judged))
    assert got.dtype == np.float64
    np.testing.assert_allclose(got, expected, rtol=1e-12)


def test_by_hand():
    model = fit(ids([0, 1, 0, 1]), 2)
    np.testing.assert_allclose(model.distribution(0, []), [1 / 2, 1 / 2])
    np.testing.assert_allclose(model.distribution(1, []), [1 / 2, 1 / 2])  # (2 + 2/2) / (4 + 2)
    np.testing.assert_allclose(model.distribution(2, [0]), [1 / 6, 5 / 6])  # (2 + 1/2) / (2 + 1) for the 1
    np.testing.assert_allclose(model.distribution(3, [1, 0]), [1 / 12, 11 / 12])  # (1 + 5/6) / (1 + 1) for the 1


def test_codes_do_not_overflow_with_a_large_vocabulary():
    V = 20_000
    text = ids([V - 1, V - 2, V - 3, V - 4, V - 1] * 3)
    model = fit(text, V)
    p = model.distribution(5, text[:4])
    assert p.argmax() == V - 1
    assert p.sum() == pytest.approx(1)
    assert p[V - 1] == pytest.approx(plainly(text.tolist(), V, text[:4].tolist(), V - 1), rel=1e-12)


def test_sorting_and_tabulating_count_the_same(monkeypatch):
    text = np.random.default_rng(0).integers(0, 7, 500)
    tabulated = fit(text, 7)
    monkeypatch.setattr("core.models.ngram.DENSE", 0)
    for one, other in zip(tabulated.grams, fit(text, 7).grams, strict=True):
        for name in ("codes", "counts", "totals", "kinds"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_baselines_are_perplexities_of_total_nats():
    rng = np.random.default_rng(1)
    train, judged = stream(rng.integers(0, 4, 300)), stream(rng.integers(0, 4, 50))
    model = fit(np.append(train.inputs, train.targets[-1]), 4)
    lines = baselines(train, judged, 4)
    assert [b.name for b in lines] == list(NAMES)
    for order, b in enumerate(lines):
        assert b.order == order
        assert b.perplexity == pytest.approx(math.exp(model.nats(order, judged).sum() / len(judged)), rel=1e-12)
        assert b.table == 4**order


def test_the_uniform_model_has_the_vocabulary_s_size_as_perplexity():
    b = baselines(stream([0, 1, 0]), stream([1, 1, 0]), 28)[0]
    assert b.perplexity == pytest.approx(28, rel=1e-12)
    assert (b.parameters, b.table) == (0, 1)


def test_numbers_stored_are_the_different_n_grams_seen():
    lines = baselines(stream([0, 1, 0, 1, 1]), stream([0, 1]), 3)
    assert [b.parameters for b in lines] == [0, 2, 2 + 3, 2 + 3 + 3, 2 + 3 + 3 + 2, 2 + 3 + 3 + 2 + 1]


def test_full_tables_are_exact_however_large():
    assert baselines(stream([0, 1, 0]), stream([0, 1]), 20_000)[5].table == 20_000**5


def test_a_longer_context_pays_where_the_language_has_one():
    corpus = load_corpus(Settings(corpus="lag", lag=4))
    lines = baselines(corpus.train, corpus.held_out, corpus.tokenizer.size)
    assert all(b.perplexity == pytest.approx(2, rel=0.01) for b in lines[:5])
    assert lines[5].perplexity == pytest.approx(corpus.floor, rel=0.02)


def test_on_a_real_text_each_longer_context_helps():
    corpus = load_corpus(Settings())
    perplexities = [b.perplexity for b in baselines(corpus.train, corpus.held_out, corpus.tokenizer.size)]
    assert perplexities == sorted(perplexities, reverse=True)
    assert perplexities[1] < perplexities[0] / 2
    assert perplexities[5] < 6


def test_targets_that_are_not_the_next_inputs_are_refused():
    echo = Stream(ids([0, 1, 1, 0]), ids([0, 0, 1, 1]))
    with pytest.raises(ValueError):
        baselines(echo, echo, 2)


def test_a_stream_without_pairs_cannot_be_judged_on():
    with pytest.raises(ValueError):
        baselines(stream([0, 1]), stream([0]), 2)


@pytest.mark.parametrize("order", [-1, 4])
def test_an_order_that_was_not_counted_is_refused(order):
    model = fit(ids([0, 1, 0]), 2, max_order=3)
    with pytest.raises(ValueError):
        model.distribution(order, [0])
    with pytest.raises(ValueError):
        model.nats(order, stream([0, 1]))


@pytest.mark.parametrize("bad", [[0, 2], [-1, 0]])
def test_ids_outside_the_vocabulary_are_refused(bad):
    with pytest.raises(ValueError):
        fit(ids(bad), 2)
