"""The page of the two books: an index that leads from their sections to the dashboard, and answers to readers' questions."""

from core.config.language import gettext as _
from pages.app.layout import elements
from pages.app.navigation.section_tabs import draw_sections, page_state
from pages.app.session.session import current_session
from pages.books.sections import SECTIONS


def page() -> None:
    session = current_session()
    elements.title(_("The two books"), _("From a sentence of the book to the place where it can be seen."))
    state = page_state(session, SECTIONS)
    elements.notice(*session.notices)
    draw_sections(session, state)


page()
