"""The button in the sidebar that hands out what is open: a link to it, and its QR code."""

import re

import streamlit as st

from core.figures.parts.handout import handout as handout_scene
from core.link import LONGEST, ROOM, link, only_for_this_machine
from core.query import FURTHEST, MOMENT
from core.text.corpus import source_of
from pages.ui.address import START, STEP, asked_of
from pages.ui.hear import handout as draw
from pages.ui.part import part
from pages.ui.state import Stage

HANDED = "handed_out"  # the last link that was asked for


def handout(here: Stage) -> None:
    """In the sidebar: the button, and behind it the link that was asked for last."""
    with st.sidebar:
        part(_show, here)


def _show(here: Stage) -> None:
    draw({"handed": st.session_state.get(HANDED)}, on_ask=lambda *asked: _hand_out(here, *asked))


def _hand_out(here: Stage, at: str, step: str, asked: float) -> None:
    """A link to the page that the browser has ``at`` this address, its play head at ``step``; ``asked`` names the question."""
    if len(at) < LONGEST - ROOM:
        st.session_state[HANDED] = scene(here, at, step) | {"asked": asked}


def scene(here: Stage, at: str, step: str = "") -> dict:
    """The link to what is open now, drawn, and what it cannot hold."""
    own_text, update = source_of(here.settings).from_reader, here.update
    query = asked_of(here)
    if re.fullmatch(r"\d+( back)?", step):
        query[STEP] = step
    if update and not own_text and here.page != START:
        query[MOMENT] = str(min(update, FURTHEST))
    there, left_out = link(at, query)
    return handout_scene(
        there,
        update=update,
        moved=here.watched.history.moved_before(here.past and here.past.moment.update),
        own_text=own_text,
        left_out=left_out,
        only_here=only_for_this_machine(at),
    )
