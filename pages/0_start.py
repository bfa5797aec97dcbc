"""The start page: a small network that reads a word, the scenes (steps of a lecture) as cards, and the reader's own scenes."""

import streamlit as st

from core.analysis.unrolled import unroll
from core.config.language import gettext as _
from pages.app.layout import elements
from pages.app.navigation.url_state import check_names
from pages.app.panels.text_model_picker import SMALL_NETWORK, Chosen, cached_for_network, load_chosen
from pages.app.session.session import Session, current_session
from pages.app.widgets.components import closing_slide, lecture, network, scenes
from pages.content.lecture import TEXT_LIMITS
from pages.content.notation import in_notation
from pages.content.scenes import SCENES
from pages.figures.parts.network import forward_substeps, network_drawing
from pages.figures.parts.scenes import closing_slide_data, lecture_data, scene_cards_data
from pages.figures.unrolled.cell_drawings import units_of

LINK = "start"
EXAMPLE_TEXT = "machine"  # the text that the network reads


def page() -> None:
    session = current_session()
    sentence = _("A network reads one character after another, and remembers. See how, scene by scene.")
    state, notation = session.scenes, session.settings.notation
    closing = closing_slide_data(
        state.sequence, state.key, st.context.url or "", seen=state.numbers, notation=notation, opened=state.opened
    )
    with st.container(key="heading" if closing else "title_slide"):
        elements.title(_("Recurrent networks"), sentence)
    check_names(session, ())
    elements.notice(*session.notices)
    if closing:
        closing_slide(closing, on_open_scene=state.request)
    draw_example_network(session)
    if session.lecture.scenes:
        own_lecture(session)
    cards = scene_cards_data(SCENES, state.ever_done, state.key, by_key=not closing, notation=notation, opened=state.opened)
    scenes(cards, on_open_scene=state.request)
    if not session.lecture.scenes:
        own_lecture(session)


def own_lecture(session: Session) -> None:
    """Draw the panel of the reader's own scenes."""
    own, opened = session.lecture, session.scenes.opened
    lecture(
        lecture_data(own.scenes, own.tallies, message=own.message, undo=own.can_undo, opened=opened),
        on_open_scene=session.scenes.request,
        on_change=own.change,
        on_edit=lambda key, *words: own.edit(key, dict(zip(TEXT_LIMITS, words, strict=True))),
        on_open_file=own.open_file,
    )


def draw_example_network(session: Session) -> None:
    """Draw a small network that reads ``EXAMPLE_TEXT``; its animation starts by itself and repeats."""
    loaded = load_chosen(session, Chosen(EXAMPLE_TEXT, SMALL_NETWORK))
    (params, tokenizer, settings, *_rest), text, name = loaded
    phi, notation = settings.activation, session.settings.notation
    u = cached_for_network(session, "start", lambda: unroll(params, text.tokens, text.targets, activation=phi), loaded)
    drawing = network_drawing(u, tokenizer, units_of(u).drawn, notation)
    steps = in_notation(forward_substeps(phi, embedded=params.W_emb is not None), notation)
    label = _("A small network reads “{text}”, again and again.", text=EXAMPLE_TEXT)
    network({"link": LINK, "text": name, "drawing": drawing, "substeps": steps, "label": label, "plays": True, "aside": False})


page()
