import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.analysis import perplexity as module
from core.analysis.displayed_text import drawn_passage, most_varied, read_typed
from core.analysis.perplexity import Surprise, averages, continuations, distribution, means_of_choices, surprise
from core.models.loss import cross_entropy, perplexity
from core.models.ngram import NgramReader, fit
from core.models.sampling import RnnReader, score
from core.text.tokenizer import Tokenizer, clean, split
from tests.core.networks import network

CHARACTERS = Tokenizer(tuple("it sranguowebfcld\n"))
WORDS = Tokenizer(("it", "is", "raining", "outside", "<eos>", "<unk>"), "word")


def reader(tokenizer: Tokenizer = CHARACTERS) -> RnnReader:
    return RnnReader(network(tokenizer.size))


@given(st.lists(st.floats(0.0, 30.0), min_size=1, max_size=30).map(np.array))
def test_perplexity_and_likelihood_of_every_prefix_and_the_shares_of_its_tokens(nats):
    s = Surprise(nats)
    assert s.running.tolist() == pytest.approx([perplexity(nats[: i + 1]) for i in range(len(nats))], rel=1e-12)
    assert s.perplexity == pytest.approx(s.running[-1], rel=1e-12)
    assert s.mean_nats[0] == nats[0]
    assert (np.diff(s.log10_likelihood) <= 0).all()
    assert s.log10_likelihood[-1] == pytest.approx(sum(math.log10(p) for p in np.exp(-nats)), abs=1e-9)
    assert np.prod(s.p) == pytest.approx(10 ** s.log10_likelihood[-1], rel=1e-9)
    assert s.shares.sum() == pytest.approx(1) or nats.sum() < 1e-300
    impossible = Surprise(np.append(nats, [math.inf, 2.0]))
    assert impossible.perplexity == math.inf
    assert impossible.log10_likelihood.tolist()[-2:] == [-math.inf, -math.inf]
    assert impossible.running.tolist()[-2:] == [math.inf, math.inf]
    assert not np.delete(impossible.shares, -2).any()


@pytest.mark.parametrize("model", [reader(), NgramReader(fit(np.arange(18), 18), 3)], ids=["rnn", "trigram"])
def test_the_distribution_at_a_place_is_the_one_that_scored_it(model):
    ids = CHARACTERS.encode("it is raining")
    nats = surprise(model, ids).nats
    for t in range(1, len(ids)):
        scores, p = distribution(model, ids[:t])
        assert -math.log(p[ids[t]]) == pytest.approx(nats[t - 1], rel=1e-12)
        assert p.sum() == pytest.approx(1)
        assert scores.dtype == np.float64
    assert module.entropy(np.full(8, 1 / 8)) == pytest.approx(math.log(8))
    assert module.entropy(np.array([1.0, 0.0])) == 0
    with pytest.raises(ValueError, match=r"\w+ \w+ .*\."):
        surprise(model, ids[:1])


def test_the_nats_of_a_continuation_are_what_it_adds_to_its_beginning():
    model = reader()
    for text in ("outside", "in winter"):
        (c,) = continuations(model, CHARACTERS, "it is raining", [text])
        whole, beginning = (score(model, CHARACTERS.encode(words)) for words in (f"it is raining {text}", "it is raining"))
        assert c.nats == pytest.approx(whole.sum() - beginning.sum(), rel=1e-12)
        assert c.count == len(text) + 1
        assert c.per_token == pytest.approx(c.nats / c.count)


def test_continuations_in_words():
    (c,) = continuations(reader(WORDS), WORDS, "it is raining", ["outside forever"])
    assert c.missing == ("forever",)  # <unk> has the probability of any unknown word, not of this one
    assert math.isnan(c.nats)
    assert continuations(reader(WORDS), WORDS, "it is raining", ["outside"])[0].count == 1


@pytest.mark.parametrize("cleaning", ["keep", "letters"])
def test_a_text_without_known_symbols_has_no_probability(cleaning):
    """Neither that of the preceding space nor of the remaining symbols: both are shorter, and so more probable."""
    texts = ["o€u€" if cleaning == "keep" else "€ €", "€", "  ", ""]
    for c in continuations(reader(), CHARACTERS, "it", texts, cleaning=cleaning):
        assert math.isnan(c.nats)
        assert math.isnan(c.per_token)
        assert c.count == 0
        assert c.missing == (("€",) if "€" in c.text and cleaning == "keep" else ())


def test_a_beginning_without_a_known_symbol_is_refused():
    for prompt in ("", "€€"):
        with pytest.raises(ValueError, match=r"\w+ \w+ .*\."):
            continuations(reader(), CHARACTERS, prompt, ["outside"])
    (c,) = continuations(reader(), CHARACTERS, "€ it", ["is"])
    assert c.missing == ()


@given(st.lists(st.floats(1e-6, 1.0), min_size=1, max_size=8).map(np.array))
def test_means_are_ordered_and_within_the_range(p):
    means = means_of_choices(p)
    inside = [1 / p.max(), means.harmonic, means.geometric, means.arithmetic, 1 / p.min()]
    assert all(low <= high * (1 + 1e-12) for low, high in pairwise(inside))
    assert means.geometric == pytest.approx(math.prod(1 / p) ** (1 / len(p)))


def test_means_of_single_examples():
    means = means_of_choices(np.array([0.8, 0.2]))
    assert (means.harmonic, means.geometric, means.arithmetic) == pytest.approx((2.0, 2.5, 3.125))
    assert means.choices == pytest.approx((1.25, 5.0))
    worst = means_of_choices(np.array([0.9, 0.0]))
    assert worst.geometric == worst.arithmetic == math.inf
    assert worst.harmonic == pytest.approx(1 / 0.45)
    assert means_of_choices(np.zeros(1)).harmonic == math.inf


def test_the_one_hot_double_sum_is_the_cross_entropy():
    logits = np.random.default_rng(0).normal(size=(4, 1, 6))
    y = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    targets = np.array([[0], [3], [5], [3]])
    terms = np.stack([module.one_hot_terms(row, int(target)) for row, target in zip(y[:, 0], targets[:, 0], strict=True)])
    assert (terms != 0).sum(axis=1).tolist() == [1, 1, 1, 1]
    assert -terms.sum() / 4 == pytest.approx(cross_entropy(logits, targets).mean())


@given(st.lists(st.lists(st.floats(0.0, 20.0), min_size=1, max_size=6), min_size=1, max_size=6))
def test_averages_of_batches_and_the_perplexity(batches):
    losses, sizes = np.concatenate([np.array(batch) for batch in batches]), [len(batch) for batch in batches]
    three = averages(losses, sizes)
    assert three.perplexity == perplexity(losses)
    assert three.mean_of_exps >= three.perplexity * (1 - 1e-12)
    assert three.over_batches == pytest.approx(math.exp(np.mean([np.mean(batch) for batch in batches])))


def test_values_that_are_no_probability_and_batch_sizes_that_do_not_fit_are_refused():
    for p in ([], [1.1], [-0.1], [math.nan]):
        with pytest.raises(ValueError):
            means_of_choices(np.array(p, float))
    for sizes in ([], [3], [2, 0, 2], [2, 3]):
        with pytest.raises(ValueError):
            averages(np.ones(4), sizes)


@given(st.lists(st.integers(0, 2), min_size=1, max_size=40), st.integers(1, 12))
def test_lines_cover_the_text(tokens, otherwise):
    ids = np.array(tokens)
    for end in (0, None):
        sizes = module.lines(ids, end, otherwise)
        assert sizes.sum() == len(ids)
        assert sizes.min() >= 1
    borders = np.cumsum(module.lines(ids, 0, otherwise))[:-1]
    assert (ids[borders - 1] == 0).all()


ANY_TEXT = st.text(st.sampled_from("it is <unk> A.\t\n\r\u2028\u00a0\x1cé€שé🙂<b>&\ud800"), max_size=40)
TEXT = np.array([0] * 50 + list(range(10)) + [0] * 50, np.int32)


def test_the_first_of_the_most_varied_passages_is_chosen():
    assert most_varied(TEXT, range(0, 100, 5), 10) == 50
    assert most_varied(TEXT, [0, 10, 20], 10) == 0
    few, many = (len(np.unique(drawn_passage(TEXT, 10, 3, among))) for among in (1, 200))
    assert few <= many == 10


@pytest.mark.parametrize("length", [1, 10, 200])
def test_a_drawn_passage_is_part_of_the_text(length):
    seen = {drawn_passage(TEXT, length, draw, 4).tobytes() for draw in range(20)}
    text = TEXT.tobytes()
    assert all(passage in text for passage in seen)
    assert {len(passage) // TEXT.itemsize for passage in seen} == {min(length, len(TEXT))}
    assert (len(seen) > 1) == (length < len(TEXT))


@given(ANY_TEXT, st.sampled_from([CHARACTERS, WORDS]), st.sampled_from(["keep", "letters"]))
def test_a_typed_text_is_split_into_the_symbols_of_training(text, tokenizer, cleaning):
    typed, cleaned = read_typed(text, tokenizer, cleaning=cleaning), clean(text, cleaning)
    symbols = list(split(cleaned, tokenizer.unit))
    assert typed.text == clean(text, "keep")
    assert [piece.symbol for piece in typed.pieces] == symbols
    assert typed.missing == tokenizer.unknown_symbols(cleaned)
    known = cleaned if tokenizer is WORDS else "".join(symbol for symbol in symbols if symbol in CHARACTERS.vocab)
    np.testing.assert_array_equal(typed.tokens(), tokenizer.encode(known))
    ends = 0
    for piece in typed.pieces:
        assert ends <= piece.start < piece.end
        ends = piece.end
    assert typed.whole


def test_a_long_text_is_cut():
    typed = read_typed("it is " * 100_000, CHARACTERS)
    assert len(typed.pieces) == 2000
    assert not typed.whole
    assert len(typed.text) == 600_000
