"""The panel at the foot of every page that makes the open page available as one HTML file, which needs no server."""

import streamlit as st

from core.config.language import gettext as _, lazy_gettext, sentences
from core.config.link import link
from core.text.corpus import source_of
from pages.app.layout import elements
from pages.app.layout.panel import panel
from pages.app.navigation.share_dialog import link_params
from pages.app.navigation.url_state import START_PAGE
from pages.app.server.page_recording import RecordedState
from pages.app.session.session import Session
from pages.content.lecture import title_of
from pages.export.page_file import PageFile
from pages.export.page_recorder import RECORDER, PageRecorder, film_updates, open_state_id

NAME, MADE = lazy_gettext("Take it home as a page"), "page_made"
SAYS = lazy_gettext(
    "What this page shows now, in one HTML file that opens without a server: play, step, point at it. It does not train."
)
FILM = lazy_gettext(
    "The film of the run shows the page at updates 0, 10, 100 … too; while it is made, the page goes through them."
)
OWN = lazy_gettext("Your own text is in it.")


def page_download_panel(session: Session) -> None:
    """Draw the panel. If the page was recorded while it was drawn, make the file, and offer it while the page is open."""
    if session.navigation.page == START_PAGE:
        return
    recorder = st.session_state.get(RECORDER)
    if recorder:
        recorder.end(session)
        del st.session_state[RECORDER]
        if recorder.states:
            st.session_state[MADE] = open_state_id(session), _file(session, recorder.states)
    box = panel(_(NAME), "as_page")
    if not box.open:
        return
    updates = film_updates(session)
    with box, st.container(horizontal=True):
        own = source_of(session.settings).from_reader
        elements.note(sentences(_(SAYS), _(FILM) if len(updates) > 1 else "", _(OWN) if own else ""))
        st.button(_("Make a page (HTML)"), on_click=_record)
        if len(updates) > 1:
            st.button(_("Make a film of the run (HTML)"), on_click=_record, args=updates)
        last, made = st.session_state.get(MADE, (None, None))
        if made and last == open_state_id(session):
            elements.download(*made)


def _record(*updates: int | None) -> None:
    st.session_state[RECORDER] = PageRecorder(updates) if updates else PageRecorder()


def _file(session: Session, states: list[RecordedState]) -> tuple[str, bytes]:
    page = session.navigation.page
    at = (st.context.url or "").partition("?")[0]
    live = link(at, link_params(session, ""))[0] if at else ""
    what = "film-to-update" if len(states) > 1 else "update"
    file = PageFile(title_of(page), states, live=live, begins=len(states) - 1)
    return f"{page}-{what}-{session.update}.html", file.html()
