import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.text import tokenizer
from core.text.tokenizer import EOS, UNK, Tokenizer, clean, first_tokens, learn_vocabulary, split

ANY_TEXT = st.text(st.characters(codec=None), max_size=60)  # with NULs, control characters and lone surrogates
SOME_WORDS = st.text(st.sampled_from("ab \n\t\x85\u2003"), max_size=40)


def learnt(text: str, unit: str = "char", cap: int = 20_000) -> Tokenizer:
    return Tokenizer(learn_vocabulary(split(text, unit), cap)[0], unit)


@given(st.one_of(ANY_TEXT, SOME_WORDS))
def test_decoding_inverts_encoding_by_words(text):
    text += "\n"  # so that there is at least one word
    t = learnt(text, "word")
    ids = t.encode(text)
    assert t.symbols(ids) == list(split(text, "word"))
    np.testing.assert_array_equal(t.encode(t.decode(ids)), ids)


@given(ANY_TEXT.filter(len), ANY_TEXT)
def test_decoding_inverts_encoding_by_characters_and_unknown_ones_are_refused(text, other):
    t = learnt(text)
    ids = t.encode(text)
    assert (t.decode(ids), ids.dtype, ids.shape) == (text, np.int32, (len(text),))
    assert set(t.unknown_symbols(other)) == set(other) - set(text)
    if not set(other) <= set(text):
        with pytest.raises(ValueError):
            t.encode(other)


def test_words_are_split_at_blanks_and_every_line_end_is_a_word():
    words = ["You", "say", "Hello", ".", EOS, EOS, "I", EOS, UNK, EOS]
    assert list(split("You say  Hello .\n\n\tI <eos> <unk>\n", "word")) == words


def test_the_most_frequent_symbols_come_first_and_those_beyond_the_cap_are_unk():
    assert learn_vocabulary("cabbac a", 20) == (("a", "c", "b", " "), 0)
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


def test_a_literal_unk_is_the_unknown_word_and_without_it_unknown_words_are_refused():
    t = learnt("a <unk> b <unk> a a", "word")
    assert t.symbols([t.unknown]) == [UNK]
    assert t.encode("never")[0] == t.unknown
    assert Tokenizer(("a", "b")).unknown is None
    with pytest.raises(ValueError, match=r"^[^<]*$"):  # the message does not contain the word
        Tokenizer(("a",), "word").encode("<img> a")


@given(ANY_TEXT, SOME_WORDS, st.integers(0, 30), st.sampled_from(["char", "word"]))
def test_first_tokens_are_the_first_of_the_split_text(text, words, count, unit):
    for whole in (text, words):
        assert list(split(first_tokens(whole, unit, count), unit)) == list(split(whole, unit))[:count]


def test_a_text_encoded_in_pieces_decodes_whole_and_an_empty_one_has_no_ids(monkeypatch):
    monkeypatch.setattr(tokenizer, "PIECE", 3)
    t = Tokenizer(("a", "b", "\U0001f600"))
    for text in ("ab\U0001f600ba\U0001f600\U0001f600", ""):
        assert t.decode(t.encode(text)) == text
    assert t.encode("").shape == Tokenizer(("a",), "word").encode("").shape == (0,)


def test_invalid_vocabularies_and_ids_outside_the_vocabulary_are_refused():
    for vocab, unit in (((), "char"), (("a", "a"), "char"), (("ab",), "char"), (("a b",), "word")):
        with pytest.raises(ValueError):
            Tokenizer(vocab, unit)
    for ids in ([2], [-1], np.array([0, 5])):
        with pytest.raises(ValueError):
            Tokenizer(("a", "b")).decode(ids)


def test_text_is_normalised_newlines_lower_case_blanks_and_surrogates():
    for end in ("\n", "\r\n", "\r", "\u2028", "\u2029", "\u0085"):
        assert clean(f"one{end}two{end}{end}three", "keep") == "one\ntwo\n\nthree"
    assert clean("The Time-Machine, by H. G. Wells [1898]\n", "letters") == "the time machine by h g wells "
    assert clean("--é", "letters") == " "
    assert clean("a\ud800b\ud83d\ude00", "keep") == "a\ufffdb\U0001f600"
