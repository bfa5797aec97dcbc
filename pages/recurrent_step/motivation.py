"""Why a state: n-gram tables and a network with a hidden state, and what each costs on this text."""

import streamlit as st

from core.analysis import recurrent_step as analysis
from core.analysis.displayed_text import drawn_passage
from core.config.language import gettext as _
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.session.session import Session
from pages.app.session.session_cache import cached_for_corpus
from pages.app.widgets.components import cards, live_figure
from pages.figures.parts.symbols import kind_of, visible_inline
from pages.figures.recurrent_step import motivation as figures

GIVEN, ORDER = 2, 6  # n of the table that a scene begins with, and of the one whose cost it asks for
LENGTH = {"char": 4, "word": 3}  # tokens of the example
CANDIDATES = 20  # random passages, of which the most varied one is the example


def show(session: Session, state: PageState) -> None:
    """Draw the panels and charts that compare n-gram tables with a hidden state on this text."""
    settings, V, kind = session.settings, session.corpus.tokenizer.size, kind_of(session.corpus)
    growth = analysis.growth(V, settings.hidden_size, settings.embedding_size)
    asked = figures.Asked(GIVEN, ORDER, V) if session.scene else None
    shares = never_seen(session)
    cards(figures.motivation_panels(growth, shares, V, kind, settings.activation, example(session)), key="motivation_panels")
    with st.container(key="counting_costs"):
        left, right = st.columns((1, 1), gap="medium")
    with left, elements.place("numbers_to_learn"):
        elements.heading(_("Numbers to learn"), _("to look further back"))
        live_figure(figures.growth_figure(growth, kind, asked), key="growth", label=figures.growth_label(growth))
    with right:
        elements.heading(_("Never seen"), figures.never_seen_sentence(shares))
        if shares:
            label = figures.never_seen_label(shares)
            live_figure(figures.never_seen_figure(shares, kind, asked), key="never_seen", label=label)


def example(session: Session) -> figures.Example | None:
    """A short piece of the training text as a product of 2-gram probabilities; None where targets are not the next inputs."""
    corpus = session.corpus
    if not corpus.is_text:
        return None
    tokens = drawn_passage(corpus.train.inputs, LENGTH[corpus.tokenizer.unit], 0, CANDIDATES)
    blank = " " if corpus.tokenizer.unit == "word" else ""
    text = blank.join(visible_inline(symbol) for symbol in corpus.tokenizer.symbols(tokens))
    return figures.Example(text, cached_for_corpus(session, "two_grams", lambda: analysis.two_gram_factors(corpus.train, tokens)))


def never_seen(session: Session) -> list[float] | None:
    """The share of held-out n-grams that training never saw; None when nothing is held out."""
    corpus = session.corpus
    if corpus.held_out is None or not corpus.is_text:
        return None
    return cached_for_corpus(
        session, "never_seen", lambda: analysis.never_seen(corpus.train, corpus.held_out, corpus.tokenizer.size)
    )
