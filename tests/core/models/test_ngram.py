"""Counting models: probabilities, their formula in a second implementation, and the baselines in the chart."""

import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.config.settings import Settings
from core.models.ngram import ORDER_NAMES, NgramReader, baselines, fit, tokens_of
from core.text.corpus import Stream, load_corpus
from tests.core.networks import stream

TEXTS = st.integers(1, 5).flatmap(
    lambda V: st.tuples(st.just(V), *[st.lists(st.integers(0, V - 1), max_size=30) for _ in range(2)])
)


def ids(values) -> np.ndarray:
    return np.asarray(values, dtype=np.int32)


def by_dictionaries(train: list[int], V: int, context: list[int], token: int) -> float:
    """The formula in the docstring of ``core.models.ngram``, with dictionaries and recursion."""
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
def test_a_distribution_is_that_of_the_formula_and_sums_to_one(text, order):
    V, train, context = text
    short = context[max(0, len(context) - order + 1) :] if order > 1 else []
    p = fit(ids(train), V).distribution(order, context)
    assert np.all(p > 0)
    assert p.sum() == pytest.approx(1, rel=1e-12)
    if order:
        np.testing.assert_allclose(p, [by_dictionaries(train, V, short, token) for token in range(V)], rtol=1e-12)


@given(TEXTS, st.integers(0, 5))
def test_nats_are_those_of_the_distribution_after_the_tokens_before(text, order):
    V, train, judged = text
    model = fit(ids(train), V)
    expected = [-math.log(model.distribution(order, judged[:i])[judged[i]]) for i in range(1, len(judged))]
    got = -np.log(list(model.probabilities(stream(judged)))[order])
    assert got.dtype == np.float64
    np.testing.assert_allclose(got, expected, rtol=1e-12)


def test_codes_do_not_overflow_with_a_large_vocabulary():
    V = 20_000
    text = [V - 1, V - 2, V - 3, V - 4, V - 1] * 3
    p = fit(ids(text), V).distribution(5, text[:4])
    assert p.sum() == pytest.approx(1)
    assert p.max() == p[V - 1] == pytest.approx(by_dictionaries(text, V, text[:4], V - 1), rel=1e-12)


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
    model = fit(tokens_of(train), 4)
    lines = baselines(model, model.losses(judged))
    assert [b.name for b in lines] == list(ORDER_NAMES)
    for order, b in enumerate(lines):
        assert b.order == order
        assert b.perplexity == pytest.approx(math.exp(list(model.losses(judged))[order].sum() / len(judged)), rel=1e-12)
        assert b.table == 4**order


def test_numbers_stored_are_the_different_n_grams_seen_and_full_tables_are_exact():
    model = fit(ids([0, 1, 0, 1, 1]), 20_000)
    lines = baselines(model, model.losses(stream([0, 1])))
    assert [b.parameters for b in lines] == [0, 2, 2 + 3, 2 + 3 + 3, 2 + 3 + 3 + 2, 2 + 3 + 3 + 2 + 1]
    assert lines[0].perplexity == pytest.approx(20_000, rel=1e-12)
    assert (lines[0].table, lines[5].table) == (1, 20_000**5)


def counted_on(corpus):
    model = fit(tokens_of(corpus.train), corpus.tokenizer.size)
    return baselines(model, model.losses(corpus.held_out))


def test_only_the_5_gram_predicts_the_language_of_lag_4_and_each_order_a_real_text():
    corpus = load_corpus(Settings(corpus="lag", lag=4))
    lines = counted_on(corpus)
    assert all(b.perplexity == pytest.approx(2, rel=0.01) for b in lines[:5])
    assert lines[5].perplexity == pytest.approx(corpus.floor, rel=0.02)
    corpus = load_corpus(Settings())
    perplexities = [b.perplexity for b in counted_on(corpus)]
    assert perplexities == sorted(perplexities, reverse=True)
    assert perplexities[1] < perplexities[0] / 2
    assert perplexities[5] < 6


def test_unknown_ids_uncounted_orders_and_unfit_streams_are_refused():
    other_targets = Stream(ids([0, 1, 1, 0]), ids([0, 0, 1, 1]))
    for train, judged in ((other_targets, other_targets), (stream([0, 1]), stream([0]))):
        with pytest.raises(ValueError):
            list(fit(tokens_of(train), 2).losses(judged))
    model = fit(ids([0, 1, 0]), 2, max_order=3)
    for order in (-1, 4):
        with pytest.raises(ValueError):
            model.distribution(order, [0])
        with pytest.raises(ValueError):
            NgramReader(model, order)
    for bad in ([0, 2], [-1, 0]):
        with pytest.raises(ValueError):
            fit(ids(bad), 2)
