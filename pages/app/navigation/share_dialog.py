"""The button in the sidebar that shares what is open: a link to it, and its QR code."""

import re

import streamlit as st

from core.config.link import (
    FURTHEST,
    HIDE,
    LONGEST,
    MOMENT,
    NAME,
    ROOM,
    SCENE,
    STEP,
    VIEW,
    link,
    only_for_this_machine,
    shortened,
)
from core.content.lecture import LIMITS, own_scene, plain, title_of
from core.figures.parts.handout import handout as handout_scene
from core.text.corpus import source_of
from pages.app.layout.fragment import part
from pages.app.navigation.url_state import START, url_params
from pages.app.session.session import Session
from pages.app.widgets.components import handout as draw

HANDED, MOMENT_ASKED = "handed_out", "moment_asked"  # the last link that was asked for, and what it opens
SCENE_ROOM = ROOM - 40  # characters of what a scene asks for; the rest is for its key


def handout(session: Session) -> None:
    """In the sidebar: the button, and behind it the link that was asked for last."""
    with st.sidebar:
        part(_show, session)


def _show(session: Session) -> None:
    draw(
        {"handed": st.session_state.get(HANDED)},
        on_ask=lambda *asked: _hand_out(session, *asked),
        on_keep=lambda *words: add_moment(session, dict(zip(LIMITS, words, strict=True))),
    )


def _hand_out(session: Session, at: str, step: str, asked: float, view: str = "") -> None:
    """A link to the page that the browser has ``at`` this address, its play head at ``step`` and the part ``view`` at the top;
    ``asked`` names the question."""
    if len(at) < LONGEST - ROOM:
        st.session_state[HANDED] = scene(session, at, step, view) | {"asked": asked, "moment": _offered(session)}
        st.session_state[MOMENT_ASKED] = session.navigation.page, moment(session, step, view)


def _offered(session: Session) -> dict | None:
    """What is offered to the reader's own lecture; on the start page there is nothing to add."""
    navigation = session.navigation
    name = ": ".join(filter(None, [title_of(navigation.page), navigation.section]))
    return None if navigation.page == START else {"name": name[: LIMITS["name"]], "limits": LIMITS, "says": ""}


def add_moment(session: Session, words: dict[str, str]) -> None:
    """Add what the link opens that was asked for last to the reader's own lecture, with these words."""
    offered = st.session_state.get(HANDED, {}).get("moment")
    if not offered:
        return
    page, query = st.session_state[MOMENT_ASKED]
    offered["says"] = session.lecture.add(lambda: own_scene(page, query, **{field: plain(text) for field, text in words.items()}))


def moment(session: Session, step: str, view: str = "") -> dict[str, str]:
    """What is open now as a scene asks for it: without the reader's own text, and without what is hidden."""
    query = asked_now(session, step, view)
    if source_of(session.settings).from_reader:
        del query["corpus"]
    return shortened({name: text for name, text in query.items() if name not in (SCENE, HIDE)}, SCENE_ROOM)[0]


def scene(session: Session, at: str, step: str = "", view: str = "") -> dict:
    """The link to what is open now, drawn, and what it cannot hold."""
    own_text, update = source_of(session.settings).from_reader, session.run_update
    there, left_out = link(at, asked_now(session, step, view))
    return handout_scene(
        there,
        update=update,
        moved=session.watched.history.moved_before(session.past and session.past.moment.update),
        own_text=own_text,
        left_out=left_out,
        only_here=only_for_this_machine(at),
    )


def asked_now(session: Session, step: str, view: str = "") -> dict[str, str]:
    """What a link to this very moment asks for; ``step``: where the play head stands; ``view``: where the page does."""
    query, update = url_params(session), session.run_update
    if re.fullmatch(r"\d+( back)?", step):
        query[STEP] = step
    if re.fullmatch(NAME, view):
        query[VIEW] = view
    if update and not source_of(session.settings).from_reader and session.navigation.page != START:
        query[MOMENT] = str(min(update, FURTHEST))
    return query
