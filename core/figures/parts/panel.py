"""Panels of words beside a drawing."""

from collections.abc import Sequence
from typing import Any, TypedDict

from core.figures.parts.style import Pieces

Piece = str | tuple[str, str] | list[str]  # plain text, or text and its tone: "strong", "maths", "input", …
Sentence = str | Sequence[Piece]


class Panel(TypedDict, total=False):
    """A title with ``aside`` behind it, a formula, which may break between two pieces, rows of [name, value], and sentences."""

    title: str
    aside: str
    formula: Pieces
    rows: list[list[str | Pieces]]
    sentences: list[Pieces]


def panel(title: str, *sentences: Sentence, formula: Sequence[Piece] = (), rows: Sequence[Any] = (), aside: str = "") -> Panel:
    """What is empty is left out."""
    parts = {
        "title": title,
        "aside": aside,
        "formula": pieces(formula),
        "rows": list(rows),
        "sentences": [pieces(sentence) for sentence in sentences],
    }
    return {key: part for key, part in parts.items() if part}


def pieces(sentence: Sentence) -> Pieces:
    """Every piece as [text, tone]."""
    parts = [sentence] if isinstance(sentence, str) else sentence
    return [[part, ""] if isinstance(part, str) else list(part) for part in parts]
