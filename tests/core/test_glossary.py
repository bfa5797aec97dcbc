"""The glossary: every entry is whole, and no two are the same."""

import pytest

from core.glossary import GLOSSARY, LANGUAGES


@pytest.mark.parametrize("word", GLOSSARY, ids=lambda word: word.english)
def test_an_entry_has_one_plain_sentence_and_a_term_in_every_language(word):
    assert word.means.endswith(".")
    assert len(word.means) <= 110
    assert list(word.translated) == list(LANGUAGES)
    for term in (word.english, *word.translated.values()):
        assert term == term.strip() != ""


def test_chinese_and_japanese_are_written_in_their_own_characters():
    for word in GLOSSARY:
        assert any("\u4e00" <= letter <= "\u9fff" for letter in word.chinese), word.english
        assert any("\u3040" <= letter <= "\u30ff" or "\u4e00" <= letter <= "\u9fff" for letter in word.japanese), word.english


def test_no_word_and_no_symbol_stands_there_twice():
    symbols = [word.symbol for word in GLOSSARY if word.symbol]
    assert len(set(symbols)) == len(symbols)
    assert len({word.english for word in GLOSSARY}) == len(GLOSSARY)


def test_the_symbols_of_the_network_are_there():
    asked = "x_t h_t o_t φ τ V H N T D W_xh W_hh W_hq b_h b_q ␣ ↵ <unk>"
    assert set(asked.split()) <= {word.symbol for word in GLOSSARY}
