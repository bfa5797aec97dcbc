"""The index of one book: its sections, what they say, and links to where it can be seen."""

from functools import partial

from core.config.language import gettext as _
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState, open_place
from pages.app.session.session import Session
from pages.app.widgets.components import book_index
from pages.content.books import BOOKS, INTRODUCTION, QUESTIONS, view_of
from pages.content.notation import FIRST_SOURCE, SECOND_SOURCE
from pages.figures.parts.book_index import IndexPart, index_part, questions_part


def _show(book: str, session: Session, _state: PageState) -> None:
    elements.note(_(INTRODUCTION[book]))
    for part in BOOKS[book]:  # each in a component of its own, to which a link scrolls
        _part(session, index_part(part, session.settings.notation), view_of(part.number))


def questions(session: Session, _state: PageState) -> None:
    """Draw the questions and errata with their answers."""
    _part(session, questions_part(QUESTIONS, session.settings.notation), "questions")


def _part(session: Session, part: IndexPart, key: str) -> None:
    book_index(part, on_open_place=partial(open_place, session), key=key)


first, second = partial(_show, FIRST_SOURCE), partial(_show, SECOND_SOURCE)
