"""Explanations of words and symbols: which of them are marked in sentences, and the glossary and notation of both sources."""

import html
import re

from hypothesis import given, strategies as st

from pages.app.layout.glossary import marked
from pages.content.notation import FIRST_SOURCE, GLOSSARY, SECOND_SOURCE
from tests.pages.app_session import SMALL, AppSession

WORDS = {word.english for word in GLOSSARY}


def marked_words(sentence: str, notation: str = FIRST_SOURCE) -> list[str]:
    return re.findall('data-word="(.*?)"', marked(sentence, notation))


def glossary_rows(session: AppSession) -> list[list[str]]:
    """The texts of the glossary's rows as a browser shows them; none if the glossary is closed."""
    rows = [row for body in session.html if "page-glossary" in body for row in re.findall("<tr>(.*?)</tr>", body)]
    return [[html.unescape(re.sub("<[^>]*>", "", one)) for one in re.findall("<t[dh][^>]*>(.*?)</t[dh]>", row)] for row in rows]


def test_a_symbol_is_marked_once_as_a_whole_word_and_never_in_quotes():
    assert marked_words("A logit; logits, and a logit") == ["logit"]
    assert marked_words("D2L, Hidden, T-shirt, T") == ["time steps"]
    assert marked_words("Multiply by φ' and W_hh") == ["activation function", "recurrent weights"]
    assert marked_words("Multiply by φ' and Wh", SECOND_SOURCE) == ["activation function", "recurrent weights"]
    assert marked_words("after “T”, H, and “ ” T”") == []
    assert marked_words("N rows. Set “T” to 1") == ["batch size"]


@given(st.text("HT τ“”<&>b_logit perplexity"))
def test_marking_changes_no_letter_and_escapes_markup(sentence):
    shown = marked(sentence, FIRST_SOURCE)
    assert html.unescape(re.sub(r'<span class="explained" data-word="[^"<>]*">|</span>', "", shown)) == sentence
    assert set(re.findall("<(/?[a-z]*)", shown)) <= {"span", "/span"}


def test_a_sentence_with_marked_words_is_one_tab_stop(visit):
    session = visit("gradient_flow", **SMALL, notation=SECOND_SOURCE)
    bodies = [body for body in session.html if "data-word" in body]
    assert bodies
    for body in bodies:
        assert body.count('tabindex="0"') == len(re.findall("<(?:p|div)[^>]*tabindex[^>]*>(?=.*?data-word)", body)) == 1
    explained = dict(session.data("explain")["words"])
    assert set(explained) == WORDS
    assert explained["recurrent weights"][0] == "Wh"


def test_the_glossary_is_sent_once_it_is_opened_with_the_symbols_of_both_sources(training):
    assert not glossary_rows(training)
    training.app.session_state["glossary"] = True
    _, *rows = glossary_rows(training.run())
    assert [row[1:3] for row in rows] == [[word.english, word.means] for word in GLOSSARY]
    assert [row[3] for row in rows] == [word.also for word in GLOSSARY]
    recurrent = next(row[0] for row in rows if row[1] == "recurrent weights")
    assert recurrent.split() == ["Whh", "Wh"]


def test_a_chinese_reader_gets_one_chinese_word(visit):
    session = visit("training", **SMALL, lang="zh")
    session.app.session_state["glossary"] = True
    heads, *rows = glossary_rows(session.run())
    assert "中文" not in heads
    assert [(row[1], row[4]) for row in rows] == [(word.chinese, word.english) for word in GLOSSARY]


def test_the_notation_is_in_the_link_and_does_not_change_the_run(visit):
    session = visit("recurrent_step", section="products", **SMALL)
    run = session.stage.run
    session.stage.change_view(notation=SECOND_SOURCE)
    assert session.run().url["notation"] == SECOND_SOURCE
    assert session.stage.run is run
    ids = [part["id"] for item in session.data("products")["equations"][0] if isinstance(item, dict) for part in item["parts"]]
    assert {"Wx", "Wh"} <= set(ids)  # the ids of the editable cells' matrices
    assert visit("unrolled", **session.url).stage.settings.notation == SECOND_SOURCE
