"""The Truncation page: what does truncation cut, what does it keep, and what does it cost?"""

import streamlit as st

from core.config.language import gettext as _
from pages.app.layout import elements
from pages.app.navigation.section_tabs import draw_sections, network_title, page_state
from pages.app.panels.text_model_picker import PICKER_PARAMS, SHORT_TEXTS, choose
from pages.app.session.session import current_session
from pages.truncation.sections import SECTIONS, START

HEAD = (530, 220, 222)  # relative widths of the title and of the two selects beside it


def page() -> None:
    session = current_session()
    state = page_state(session, SECTIONS, others=PICKER_PARAMS, **START)
    left, *others = st.columns(HEAD, vertical_alignment="center")
    live = False
    if state.open == "cut":
        state["chosen"] = choose(session, SHORT_TEXTS, *others)
        live = state["chosen"].live
    with left:
        network_title(session, _("Truncation"), _("Forward runs on. Backward stops at the scissors."), live=live)
    elements.notice(*session.notices)
    draw_sections(session, state)


page()
