import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.analysis.displayed_text import drawn_passage, most_varied, read_typed
from core.text.tokenizer import Tokenizer, clean, split

CHARACTERS = Tokenizer(tuple("it sranguowebfcld\n"))
WORDS = Tokenizer(("it", "is", "raining", "outside", "<eos>", "<unk>"), "word")
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
