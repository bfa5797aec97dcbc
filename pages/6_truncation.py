"""What does truncation cut, what does it keep, and what does it cost?"""

from functools import partial

import streamlit as st

from pages.app.layout import elements
from pages.app.navigation.section_tabs import draw_sections, page_state
from pages.app.panels.network_title import network_title
from pages.app.panels.text_model_picker import SHORT_TEXTS, choose
from pages.app.session.session import current_session
from pages.truncation.sections import SECTIONS, START

HEAD = (530, 220, 222)  # widths of the title and of what is chosen beside it


def page() -> None:
    session = current_session()
    state = page_state(session, SECTIONS, **START)
    left, *others = st.columns(HEAD, vertical_alignment="center")
    looks_at_network = state["section"] == "cut"
    with left:
        title = partial(network_title, session) if looks_at_network else elements.title
        title("Truncation", "Forward runs on. Backward stops at the scissors.")
    if looks_at_network:
        state["chosen"] = choose(session, SHORT_TEXTS, *others)
    elements.notice(*session.notices)
    draw_sections(session, SECTIONS, state)


page()
