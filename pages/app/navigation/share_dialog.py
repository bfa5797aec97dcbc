"""The button in the sidebar that opens a dialog: a link to the open page and run, its QR code, and a form that adds a scene."""

import re

import streamlit as st

from core.config.link import (
    FURTHEST_UPDATE,
    HIDE,
    KEY_PATTERN,
    LONGEST_LINK,
    MAX_QUERY_LENGTH,
    MOMENT,
    SCENE,
    STEP_PARAMETER,
    VIEW,
    link,
    only_for_this_machine,
    shortened,
)
from core.text.corpus import source_of
from pages.app.layout.fragment import draw_fragment
from pages.app.navigation.url_state import START_PAGE, url_params
from pages.app.session.session import Session
from pages.app.widgets.components import share_dialog as draw
from pages.content.lecture import TEXT_LIMITS, own_scene, plain, title_of
from pages.figures.parts.scenes import hidden_parts
from pages.figures.parts.share_link import ShareLink, share_link

LINK, LINK_SCENE = "shared_link", "shared_scene"  # keys in st.session_state: the link; page and query of its scene
SCENE_LENGTH = MAX_QUERY_LENGTH - 40  # maximum characters of the query of a scene; the rest is for its key


def share_dialog(session: Session) -> None:
    """Draw the button in the sidebar, with the link that was requested last."""
    with st.sidebar:
        draw_fragment(_show, session)


def _show(session: Session) -> None:
    draw(
        {"link": st.session_state.get(LINK)},
        on_request=lambda *request: create_link(session, *request),
        on_add_scene=lambda *words: add_to_lecture(session, dict(zip(TEXT_LIMITS, words, strict=True))),
    )


def create_link(session: Session, at: str, step: str, number: float, view: str = "") -> None:
    """Create the link to the page with the address ``at``, the play head at ``step`` and the container ``view`` at the top.
    ``number`` identifies the request."""
    if len(at) < LONGEST_LINK - MAX_QUERY_LENGTH:
        st.session_state[LINK] = link_data(session, at, step, view) | {"number": number, "scene": _new_scene(session)}
        st.session_state[LINK_SCENE] = session.navigation.page, scene_query(session, step, view)


def _new_scene(session: Session) -> dict | None:
    """The data of the form that adds the link to the reader's lecture; None on the start page, which is not a scene."""
    navigation = session.navigation
    name = ": ".join(filter(None, [title_of(navigation.page), navigation.section]))
    if navigation.page == START_PAGE:
        return None
    return {"name": name[: TEXT_LIMITS["name"]], "limits": TEXT_LIMITS, "hides": hidden_parts(), "message": ""}


def add_to_lecture(session: Session, words: dict[str, str]) -> None:
    """Add the page and run of the link to the reader's lecture, as a scene with these words."""
    form = st.session_state.get(LINK, {}).get("scene")
    if not form:
        return
    page, query = st.session_state[LINK_SCENE]
    form["message"] = session.lecture.add(lambda: own_scene(page, query, **{field: plain(text) for field, text in words.items()}))


def scene_query(session: Session, step: str, view: str = "") -> dict[str, str]:
    """The query of a scene for the open page and run, without the reader's own text and without hidden parts."""
    query = link_params(session, step, view)
    if source_of(session.settings).from_reader:
        del query["corpus"]
    return shortened({name: text for name, text in query.items() if name not in (SCENE, HIDE)}, SCENE_LENGTH)[0]


def link_data(session: Session, at: str, step: str = "", view: str = "") -> ShareLink:
    """The link to the open page and run, its QR code, and the state that the link cannot contain."""
    own_text, update = source_of(session.settings).from_reader, session.run_update
    url, left_out = link(at, link_params(session, step, view))
    return share_link(
        url,
        update=update,
        moved=session.monitored.history.moved_before(session.past and session.past.moment.update),
        own_text=own_text,
        left_out=left_out,
        only_here=only_for_this_machine(at),
    )


def link_params(session: Session, step: str, view: str = "") -> dict[str, str]:
    """The query of a link to the open page and run, with the play head (``step``) and the scroll position (``view``)."""
    query, update = url_params(session), session.run_update
    if re.fullmatch(r"\d+( back)?", step):
        query[STEP_PARAMETER] = step
    if re.fullmatch(KEY_PATTERN, view):
        query[VIEW] = view
    if update and not source_of(session.settings).from_reader and session.navigation.page != START_PAGE:
        query[MOMENT] = str(min(update, FURTHEST_UPDATE))
    return query
