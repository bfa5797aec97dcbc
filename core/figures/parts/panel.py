"""Panels of words beside a drawing."""

from collections.abc import Sequence
from typing import Any

from core.figures.parts.style import Pieces, Scene

Piece = str | tuple[str, str]  # plain text, or text and its tone: "strong", "maths", "input", …
Sentence = str | Sequence[Piece]


def panel(title: str, *sentences: Sentence, formula: Sequence[Piece] = (), rows: Sequence[Any] = (), aside: str = "") -> Scene:
    """A title with ``aside`` behind it, a formula, rows of [name, value], and sentences; what is empty is left out.

    A line may break between two pieces of a formula.
    """
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
