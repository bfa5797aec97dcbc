import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.perplexity import Surprise, continuations, distribution, entropy, read_typed, surprise
from core.models.loss import perplexity
from core.models.ngram import NgramReader, fit
from core.models.sampling import RnnReader, score
from core.text.tokenizer import Tokenizer, clean, split
from tests.core.networks import network

CHARACTERS = Tokenizer(tuple("it sranguowebfcld\n"))
WORDS = Tokenizer(("it", "is", "raining", "outside", "<eos>", "<unk>"), "word")
ANY_TEXT = st.text(st.sampled_from("it is <unk> A.\t\n\r\u2028\u00a0\x1cé€שé🙂<b>&\ud800"), max_size=40)


def reader(tokenizer: Tokenizer = CHARACTERS) -> RnnReader:
    return RnnReader(network(tokenizer.size))


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


@given(st.lists(st.floats(0, 20), min_size=1, max_size=30))
def test_perplexity_running_perplexity_and_shares(nats):
    s = Surprise(np.array(nats))
    assert s.perplexity >= 1
    assert s.running[-1] == pytest.approx(s.perplexity, rel=1e-12)
    assert [perplexity(s.nats[: i + 1]) for i in range(len(nats))] == pytest.approx(s.running.tolist(), rel=1e-12)
    if s.total > 1e-300:
        assert s.shares.sum() == pytest.approx(1)
    impossible = Surprise(np.array([1.0, math.inf, 1.0]))
    assert impossible.perplexity == math.inf
    assert impossible.running.tolist() == [math.e, math.inf, math.inf]
    assert impossible.shares[[0, 2]].tolist() == [0, 0]


@pytest.mark.parametrize("model", [reader(), NgramReader(fit(np.arange(18), 18), 3)], ids=["rnn", "trigram"])
def test_the_distribution_at_a_place_is_the_one_that_scored_it(model):
    ids = CHARACTERS.encode("it is raining")
    nats = surprise(model, ids).nats
    for t in range(1, len(ids)):
        scores, p = distribution(model, ids[:t])
        assert -math.log(p[ids[t]]) == pytest.approx(nats[t - 1], rel=1e-12)
        assert p.sum() == pytest.approx(1)
        assert scores.dtype == np.float64
    assert entropy(np.full(8, 1 / 8)) == pytest.approx(math.log(8))
    assert entropy(np.array([1.0, 0.0])) == 0
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
    assert c.missing == ("forever",)  # <unk> would be the probability of any unknown word, not of this one
    assert math.isnan(c.nats)
    assert continuations(reader(WORDS), WORDS, "it is raining", ["outside"])[0].count == 1


@pytest.mark.parametrize("cleaning", ["keep", "letters"])
def test_a_text_without_known_symbols_has_no_probability(cleaning):
    """Not that of the blank before it, nor of the symbols that are left: both are shorter, and so more probable."""
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
