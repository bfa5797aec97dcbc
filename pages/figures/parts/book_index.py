"""Data of the index of the books, and of the questions about them: statements with links to the places that show them."""

from collections.abc import Sequence
from typing import TypedDict

from core.config.language import gettext as _
from pages.content.books import Entry, Part, Question
from pages.content.notation import in_notation
from pages.content.places import address_of, name_of

PlaceLink = tuple[str, str, str]  # key, name, address


class IndexRow(TypedDict):
    """A statement: its number, its text, an answer if it is a question, and links to places."""

    number: str
    says: str
    answer: str
    links: list[PlaceLink]


class IndexPart(TypedDict):
    """A section of a book; ``later`` is its number in the newer edition."""

    number: str
    later: str
    title: str
    rows: list[IndexRow]


def index_part(part: Part, notation: str) -> IndexPart:
    """A section of a book."""
    rows = [_row(_number(entry), entry.says, "", entry.places, notation) for entry in part.entries]
    later = _("{number} since 1.0", number=part.later) if part.later else ""
    return {"number": part.number, "later": later, "title": _(part.title), "rows": rows}


def _number(entry: Entry) -> str:
    """The number of a statement in the reader's language."""
    figure, exercise = entry.number.partition("Fig. ")[2], entry.number.partition("xercise ")[2]
    if figure:
        return _("Fig. {number}", number=figure)
    return _("Exercise {number}", number=exercise) if exercise else entry.number


def _row(number: str, says: str, answer: str, places: Sequence[str], notation: str) -> IndexRow:
    links = [(key, in_notation(name_of(key), notation), address_of(key)) for key in places]
    return {"number": number, "says": in_notation(_(says), notation), "answer": in_notation(_(answer), notation), "links": links}


def questions_part(questions: Sequence[Question], notation: str) -> IndexPart:
    """Questions with their answers, in one section."""
    rows = [_row(str(i + 1), one.asks, one.answer, one.places, notation) for i, one in enumerate(questions)]
    return {"number": "", "later": "", "title": "", "rows": rows}
