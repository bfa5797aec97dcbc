"""Tables and panels beside a drawing: the ``grid`` component, comparisons of networks, and panels of words."""

import math
from collections.abc import Sequence
from typing import Any, NotRequired, TypedDict

from core.figures.parts.style import Pieces

Piece = str | tuple[str, str] | list[str]  # plain text, or text and its tone: "strong", "maths", "input", …
Sentence = str | Sequence[Piece]


class Cell(TypedDict):
    """``tone``: muted, strong, forward, backward. ``bar``: its length, 0 to 1."""

    text: str
    tone: NotRequired[str]
    bar: NotRequired[float]


class Row(TypedDict):
    """A line of the table under its name; ``tone`` strong for the one that is looked for, forward for the network's."""

    name: str
    cells: list[Cell]
    tone: str


class Grid(TypedDict):
    """The whole table. ``head`` names the first column and the others; ``code`` sets it in the letters of code."""

    head: list[str]
    rows: list[Row]
    code: bool
    label: str


def cell(text: str, *, tone: str = "", bar: float = math.nan) -> Cell:
    """A ``bar`` that is NaN is not drawn."""
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
    """A length before and after, as shares of the widest bar."""

    says: str
    turned: str
    before: float
    after: float


class Comparison(TypedDict):
    """A column for each thing; a row begins with its name."""

    columns: list[str]
    rows: list[list[str]]
    gauges: NotRequired[list[list[str | Gauge]]]
    sentence: NotRequired[str]
    lines: NotRequired[int]  # that the sentence has room for
    note: NotRequired[str]


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
