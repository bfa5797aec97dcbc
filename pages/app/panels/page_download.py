"""At the foot of every page, on request: what is open as one HTML file, which needs no server."""

import streamlit as st

from core.config.link import link
from core.content.lecture import title_of
from core.figures.parts.numbers import amount
from core.text.corpus import source_of
from pages.app.layout import elements
from pages.app.navigation.share_dialog import asked_now
from pages.app.navigation.url_state import START
from pages.app.server.page_file import page_file
from pages.app.server.page_recording import Item
from pages.app.session.session import Session

NAME, WANTED, MADE = "Take it home as a page", "page_wanted", "page_made"
SAYS = "What this page shows now, in one HTML file that opens without a server: play, step, point at it. It does not train."
OWN = " Your own text is in it."


def items_wanted() -> list[Item] | None:
    """Where to record what this page draws, if a file of it was asked for."""
    return [] if st.session_state.get(WANTED) else None


def as_page(session: Session, items: list[Item] | None) -> None:
    """The file is made of ``items``, which were recorded while the page was drawn, and offered while the page is open."""
    if session.navigation.page == START:
        return
    if items is not None:
        st.session_state[WANTED] = False
        st.session_state[MADE] = _opened(session), _file(session, items)
    panel = st.expander(NAME, key="as_page", on_change="rerun", type="compact")
    if not panel.open:
        return
    with panel:
        elements.note(SAYS + OWN * source_of(session.settings).from_reader)
        st.button("Make a page (HTML)", on_click=st.session_state.update, args=({WANTED: True},))
        opened, made = st.session_state.get(MADE, (None, None))
        if made and opened == _opened(session):
            name, content = made
            st.download_button(f"Download {name}, {amount(len(content))}B", content, name, on_click="ignore")


def _opened(session: Session) -> tuple[int, int]:
    return session.navigation.visits, session.watched.serial


def _file(session: Session, items: list[Item]) -> tuple[str, bytes]:
    page = session.navigation.page
    at = (st.context.url or "").partition("?")[0]
    live = link(at, asked_now(session, ""))[0] if at else ""
    return f"{page}-update-{session.update}.html", page_file(title_of(page), items, link=live)
