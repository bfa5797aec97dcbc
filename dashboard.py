"""The entry point: navigation, and the sidebar with the live run. No arithmetic, no figure.

`streamlit run` imports this file when the server starts, and runs it as a script in every session.
"""

import os
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy loads: beside a browser, two threads are far slower than one

import streamlit as st
from starlette.middleware import Middleware

from core.config.language import gettext as _, language
from pages.app import lifespan
from pages.app.connection.admission_control import refusal
from pages.app.connection.connections import current_connection
from pages.app.connection.tab_identity import register_tab, this_tab
from pages.app.layout import elements
from pages.app.layout.glossary import explain, glossary
from pages.app.layout.index_page import IndexPage
from pages.app.navigation.auto_refresh import LOADING, drawn_consistently, show_loading, show_progress
from pages.app.navigation.scene_navigation import navigate, show_scene_bar
from pages.app.navigation.share_dialog import share_dialog
from pages.app.navigation.url_state import load_session, sync_url
from pages.app.panels.room_panel import show_room
from pages.app.panels.sidebar import draw_run_card, reader_controls
from pages.app.server import static_assets
from pages.app.server.draw_limit import draw_slot
from pages.app.server.page_recording import recording
from pages.app.server.room.routes import routes as room_routes
from pages.app.server.shared_cache import StillComputing, drawn_later
from pages.app.session.session import Session
from pages.app.widgets.components import present
from pages.app.widgets.reader_language import choose_language
from pages.app.widgets.rerun import record_open_page
from pages.export.page_download import page_download_panel
from pages.export.page_recorder import items_to_record
from pages.reasons.numbers import numbers_of

PAGES = Path(__file__).parent / "pages"


def all_pages() -> list:
    """The pages, the start page first."""
    return [
        st.Page(PAGES / "0_start.py", title=_("Start"), icon=":material/home:", url_path="", default=True),
        st.Page(PAGES / "1_recurrent_step.py", title=_("Recurrent step"), icon=":material/start:", url_path="recurrent_step"),
        st.Page(PAGES / "2_unrolled.py", title=_("Unrolled"), icon=":material/view_week:", url_path="unrolled"),
        st.Page(PAGES / "3_training.py", title=_("Training"), icon=":material/show_chart:", url_path="training"),
        st.Page(PAGES / "4_perplexity.py", title=_("Perplexity"), icon=":material/equalizer:", url_path="perplexity"),
        st.Page(PAGES / "5_gradient_flow.py", title=_("Gradient flow"), icon=":material/arrow_back:", url_path="gradient_flow"),
        st.Page(PAGES / "6_truncation.py", title=_("Truncation"), icon=":material/content_cut:", url_path="truncation"),
        st.Page(PAGES / "7_books.py", title=_("The two books"), icon=":material/menu_book:", url_path="books"),
        st.Page(PAGES / "8_exercises.py", title=_("Exercises"), icon=":material/edit_note:", url_path="exercises"),
    ]


def draw() -> None:
    """Draw the frame and the requested page within it."""
    previous_session = st.session_state.get("session")
    choose_language(previous_session.settings.lang if previous_session else st.query_params.get("lang"))
    icon = str(PAGES / "app" / "components" / "favicon.svg")
    st.set_page_config(page_title=_("Recurrent networks"), page_icon=icon, layout="wide", initial_sidebar_state=260)
    pages = all_pages()
    start_alias = st.Page(lambda: None, title=_("Start"), url_path="start", visibility="hidden")  # for the typed URL /start
    st.set_option("client.showSidebarNavigation", True)  # off in config.toml, as it would list the files before st.navigation
    page = st.navigation([*pages, start_alias])
    if page.url_path == start_alias.url_path:
        st.switch_page(pages[0], query_params=st.query_params.to_dict())
    elements.style()
    refuse_when_full()
    record_open_page(page)
    session, previous_language = session_of(page.url_path), language()
    choose_language(session.settings.lang)
    if language() != previous_language:  # the page titles in st.navigation were made in another language
        st.rerun()
    with draw_slot():
        navigate(session, {page.url_path: page for page in pages})
        current_connection().attach(session)
        with drawn_consistently(session):
            elements.hide(session.navigation.hidden)
            sync_url(session)
            register_tab(this_tab())
            items = items_to_record(session)
            with recording(items):
                explain(session.settings.notation, session.navigation.request_place)
            draw_run_card(session, small=page.url_path == "training")
            reader_controls(session)
            share_dialog(session)
            with st.sidebar:
                present({})
            with recording(items):
                show_scene_bar(session, numbers_of)
                show_loading(session)
                page.run()
            glossary(session.settings.notation)
            page_download_panel(session)
            show_room(session)


def session_of(page: str) -> Session:
    """The session of this tab. While the run of a new one is made, nothing but that is said on the page."""
    try:
        with drawn_later():
            return load_session(page)
    except StillComputing as still:
        show_progress(still.job, LOADING)
    st.stop()


def refuse_when_full() -> None:
    """Show a sentence instead of the page if the server has no place for this tab."""
    if why := refusal(current_connection()):
        elements.hide(("sidebar",))
        elements.message_page(_("This server is full"), why, _("Load this page again in a few minutes."))
        st.stop()


if __name__ == "__main__":
    draw()
else:
    lifespan.check_limits()
    middleware = [Middleware(static_assets.StaticFiles), Middleware(IndexPage)]
    app = st.App(__file__, routes=room_routes(), middleware=middleware, lifespan=lifespan.begin)
