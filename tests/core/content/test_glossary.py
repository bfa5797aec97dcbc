"""The glossary: every entry has a term in every language, and no two are the same."""

from core.content.notation import GLOSSARY, LANGUAGES


def test_every_entry_has_a_meaning_and_a_term_in_every_language():
    assert len(GLOSSARY) > 20
    for word in GLOSSARY:
        assert word.means, word.english
        assert list(word.translated) == list(LANGUAGES)
        for term in (word.english, *word.translated.values()):
            assert term == term.strip() != "", word.english


def test_terms_and_symbols_are_unique_and_those_of_the_network_are_there():
    symbols = [word.symbol for word in GLOSSARY if word.symbol]
    assert len(set(symbols)) == len(symbols)
    assert len({word.english for word in GLOSSARY}) == len(GLOSSARY)
    asked = "x_t h_t o_t φ τ V H N T D W_xh W_hh W_hq b_h b_q ␣ ↵ <unk>"
    assert set(asked.split()) <= set(symbols)
