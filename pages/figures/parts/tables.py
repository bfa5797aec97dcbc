"""Tables and panels beside a drawing: the ``grid`` component, comparisons of networks, and panels of text."""

import math
from collections.abc import Sequence
from typing import Any, NotRequired, TypedDict

from pages.figures.parts.style import Pieces

Piece = str | tuple[str, str] | list[str]  # plain text, or text and its tone: "strong", "maths", "input", …
Sentence = str | Sequence[Piece]


class Cell(TypedDict):
    """``tone``: muted, forward or backward. ``bar``: the length of a bar below the text, 0 to 1. ``level``: the colour of the
    cell on the diverging scale, -100 to 100."""

    text: str
    tone: NotRequired[str]
    bar: NotRequired[float]
    level: NotRequired[int]


class Row(TypedDict):
    """A row with its name; ``tone`` is "strong" for the row to be noticed and "forward" for the row of the network."""

    name: str
    cells: list[Cell]
    tone: str


class Grid(TypedDict):
    """The whole table. ``head`` names all columns, first that of the row names; ``code`` selects the code font."""

    head: list[str]
    rows: list[Row]
    code: bool
    label: str


def cell(text: str, *, tone: str = "", bar: float = math.nan) -> Cell:
    """A cell, without a bar if ``bar`` is NaN."""
    made: Cell = {"text": text}
    if tone:
        made["tone"] = tone
    if not math.isnan(bar):
        made["bar"] = round(min(max(bar, 0.0), 1.0), 4)
    return made


def row(name: str, cells: Sequence[Cell], *, tone: str = "") -> Row:
    return {"name": name, "cells": list(cells), "tone": tone}


def grid(head: Sequence[str], rows: Sequence[Row], *, code: bool = False, label: str = "") -> Grid:
    return {"head": list(head), "rows": list(rows), "code": code, "label": label}


class Gauge(TypedDict):
    """The length of a gradient before and after clipping, in shares of the longest bar; ``turned``: its rotation in words."""

    says: str
    turned: str
    before: float
    after: float


class Comparison(TypedDict):
    """A table with a column for each thing compared; a row begins with its name."""

    columns: list[str]
    rows: list[list[str]]
    gauges: NotRequired[list[list[str | Gauge]]]
    sentence: NotRequired[str]
    lines: NotRequired[int]  # height reserved for the sentence, in lines
    note: NotRequired[str]


class Panel(TypedDict, total=False):
    """A title followed by ``aside``, a formula that may wrap between its pieces, rows of [name, value], and sentences."""

    title: str
    aside: str
    formula: Pieces
    rows: list[list[str | Pieces]]
    sentences: list[Pieces]


def panel(title: str, *sentences: Sentence, formula: Sequence[Piece] = (), rows: Sequence[Any] = (), aside: str = "") -> Panel:
    """A panel without its empty parts."""
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
