"""The Recurrent step page: what does a hidden state add?"""

from core.config.language import gettext as _
from pages.app.layout import elements
from pages.app.navigation.section_tabs import draw_sections, page_state
from pages.app.session.session import current_session
from pages.recurrent_step.sections import PICKS, SECTIONS, START


def page() -> None:
    session = current_session()
    elements.title(_("Recurrent step"), _("What does a hidden state add?"))
    state = page_state(session, SECTIONS, PICKS, **START)
    elements.notice(*session.notices)
    draw_sections(session, state)


page()
