"""Symbols explain themselves: what is marked in our sentences, what never is, and that the browser knows all of it."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.util import calc_hash

from core.glossary import GLOSSARY, in_formulas, in_sentences
from core.notation import FIRST, SECOND
from pages.ui.explained import marked
from tests.pages.conftest import below
from tests.pages.test_glossary import SMALL
from tests.pages.test_scenes import PAGES

WORDS = {word.english for word in GLOSSARY}


def words(sentence, notation=FIRST):
    return re.findall('data-word="(.*?)"', marked(sentence, notation))


@pytest.mark.parametrize("notation", [FIRST, SECOND])
def test_all_that_is_explained_stands_in_the_glossary(notation):
    names, behind = in_formulas(notation)
    assert {*in_sentences(notation).values(), *names.values(), *behind.values()} <= WORDS
    assert {"x_t", "h_t", "φ", "τ", "T", "N", "V"} <= {word.symbol for word in GLOSSARY}


def test_a_symbol_is_marked_where_it_comes_first_and_only_as_a_word():
    assert words("A logit; logits, and a logit") == ["logit"]
    assert words("D2L, Hidden, T-shirt, T") == ["time steps"]
    assert words("Multiply by φ' and W_hh") == ["activation function", "recurrent weights"]
    assert words("Multiply by φ' and Wh", SECOND) == ["activation function", "recurrent weights"]


def test_what_is_quoted_is_never_marked():
    assert words("after “T”, H, and “ ” T”") == []
    assert words("N rows. Set “T” to 1") == ["batch size"]


@given(st.text("HT τ“”<&>b_logit perplexity"))
def test_marks_change_no_letter_and_let_no_markup_through(sentence):
    told = marked(sentence, FIRST)
    assert html.unescape(re.sub(r'<span class="explained" data-word="[^"<>]*">|</span>', "", told)) == sentence
    assert set(re.findall("<(/?[a-z]*)", told)) <= {"span", "/span"}


@pytest.mark.parametrize("page", PAGES)
def test_every_page_brings_its_glossary_and_marks_its_words(visit, page):
    visitor = visit(calc_hash(page), notation=SECOND, **SMALL)
    sent = visitor.scene("explain")
    words = dict(sent["words"])
    assert set(words) == WORDS
    assert words["recurrent weights"][0] == "Wh"
    told = "".join(node.proto.body for node in below(visitor.app._tree) if node.type == "html")
    assert set(re.findall('data-word="(.*?)"', told)) <= set(words)


def test_the_keyboard_stops_once_at_a_sentence_that_has_something_to_explain(visit):
    visitor = visit(calc_hash("gradient_flow"), **SMALL)
    told = [node.proto.body for node in below(visitor.app._tree) if node.type == "html" and "data-word" in node.proto.body]
    assert told
    assert all(body.count('tabindex="0"') == len(re.findall("<p[^>]*>(?=.*?data-word)", body)) == 1 for body in told)
