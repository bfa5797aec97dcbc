"""The exercises: questions with numbers of the reader's own, predictions about the run, and those of the book."""

from core.config.language import gettext as _
from pages.app.layout import elements
from pages.app.navigation.section_tabs import draw_sections, page_state
from pages.app.session.session import current_session
from pages.exercises.sections import SECTIONS


def page() -> None:
    session = current_session()
    elements.title(_("Exercises"), _("With numbers of your own and checked answers. A known mistake is told which it is."))
    state = page_state(session, SECTIONS)
    elements.notice(*session.notices)
    draw_sections(session, state)


page()
