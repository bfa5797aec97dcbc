"""Text to ids and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import tokenizer
from core.text.tokenizer import EOS, UNK, Tokenizer, first_tokens, learn_vocabulary, split

ANY_TEXT = st.text(st.characters(codec=None), max_size=60)  # with NULs, control characters and lone surrogates
SOME_WORDS = st.text(st.sampled_from("ab \n\t\x85\u2003"), max_size=40)


def learnt(text, unit="char", cap=20_000):
    return Tokenizer(learn_vocabulary(split(text, unit), cap)[0], unit)


@given(ANY_TEXT.filter(len))
def test_decoding_gives_back_every_character(text):
    t = learnt(text)
    ids = t.encode(text)
    assert t.decode(ids) == text
    assert ids.dtype == np.int32
    assert ids.shape == (len(text),)


@given(st.one_of(ANY_TEXT, SOME_WORDS))
def test_decoding_gives_back_every_word(text):
    text += "\n"  # so that there is a word
    t = learnt(text, "word")
    ids = t.encode(text)
    assert t.symbols(ids) == list(split(text, "word"))
    np.testing.assert_array_equal(t.encode(t.decode(ids)), ids)


@given(ANY_TEXT.filter(len), ANY_TEXT)
def test_unknown_symbols_are_those_that_were_not_learnt(text, other):
    t = learnt(text)
    missing = t.unknown_symbols(other)
    assert set(missing) == set(other) - set(text)
    if missing:
        with pytest.raises(ValueError):
            t.encode(other)
    else:
        assert t.decode(t.encode(other)) == other


def test_words_keep_their_case_and_every_line_end_is_a_word():
    assert list(split("You say  Hello .\n\n\tI <eos> <unk>\n", "word")) == [
        *("You", "say", "Hello", ".", EOS, EOS, "I", EOS, UNK, EOS),
    ]


def test_most_frequent_first_and_ties_by_first_appearance():
    assert learn_vocabulary("cabbac a", 20) == (("a", "c", "b", " "), 0)


def test_the_rarest_symbols_share_one_place():
    vocab, rare = learn_vocabulary("aaabbbccd", 3)
    assert (vocab, rare) == (("a", "b", UNK), 2)
    t = Tokenizer(vocab)
    assert t.unknown == 2
    np.testing.assert_array_equal(t.encode("abcdé"), [0, 1, 2, 2, 2])
    assert t.decode([0, 2]) == "a<unk>"


@given(st.lists(st.sampled_from(["a", "b", "c", "d", UNK, EOS])), st.integers(2, 8))
def test_a_vocabulary_never_exceeds_its_cap(words, cap):
    vocab, rare = learn_vocabulary(words, cap)
    assert len(vocab) == len(set(vocab)) <= cap
    assert rare == len(set(words) - set(vocab) - {UNK})
    assert (UNK in vocab) == (rare > 0 or UNK in words)


def test_a_literal_unk_is_the_unknown_word():
    t = learnt("a <unk> b <unk> a a", "word")
    assert t.symbols([t.unknown]) == [UNK]
    assert t.encode("never")[0] == t.unknown


def test_without_unk_there_is_no_unknown_id():
    assert Tokenizer(("a", "b")).unknown is None


def test_what_was_typed_as_words_does_not_come_back_in_the_error():
    with pytest.raises(ValueError) as caught:
        Tokenizer(("a",), "word").encode("<img> a")
    assert "img" not in str(caught.value)


@given(ANY_TEXT, SOME_WORDS, st.integers(0, 30), st.sampled_from(["char", "word"]))
def test_first_tokens_are_the_first(text, words, count, unit):
    for whole in (text, words):
        assert list(split(first_tokens(whole, unit, count), unit)) == list(split(whole, unit))[:count]


def test_a_text_of_several_pieces_is_encoded_whole(monkeypatch):
    monkeypatch.setattr(tokenizer, "PIECE", 3)
    t = Tokenizer(("a", "b", "\U0001f600"))
    assert t.decode(t.encode("ab\U0001f600ba\U0001f600\U0001f600")) == "ab\U0001f600ba\U0001f600\U0001f600"


def test_an_empty_text_has_no_ids():
    for unit in ("char", "word"):
        t = Tokenizer(("a",), unit)
        assert t.encode("").shape == (0,)
        assert t.decode([]) == ""


@pytest.mark.parametrize("ids", [[2], [-1], np.array([0, 5])])
def test_an_id_outside_the_vocabulary_is_refused(ids):
    with pytest.raises(ValueError):
        Tokenizer(("a", "b")).decode(ids)


@pytest.mark.parametrize(("vocab", "unit"), [((), "char"), (("a", "a"), "char"), (("ab",), "char"), (("a b",), "word")])
def test_a_vocabulary_that_cannot_be_is_refused(vocab, unit):
    with pytest.raises(ValueError):
        Tokenizer(vocab, unit)
