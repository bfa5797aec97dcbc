"""Tables of numbers drawn as a grid: what the ``grid`` component shows. All of it is text; a cell may be shaded or hold a bar."""

import math
from collections.abc import Sequence
from typing import NotRequired, TypedDict


class Cell(TypedDict):
    """``tone``: muted, strong, forward, backward. ``level``: shade on the sequential scale, 0 to 1. ``bar``: its length, 0 to 1.
    ``note`` is said when the pointer rests on it.
    """

    text: str
    tone: NotRequired[str]
    level: NotRequired[float]
    bar: NotRequired[float]
    note: NotRequired[str]


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


def cell(text: str, *, tone: str = "", level: float | None = None, bar: float | None = None, note: str = "") -> Cell:
    """Neither ``level`` nor ``bar`` is drawn for a number that is NaN."""
    made: Cell = {"text": text}
    if tone:
        made["tone"] = tone
    if level is not None and not math.isnan(level):
        made["level"] = round(min(max(level, 0.0), 1.0), 3)
    if bar is not None and not math.isnan(bar):
        made["bar"] = round(min(max(bar, 0.0), 1.0), 4)
    if note:
        made["note"] = note
    return made


def row(name: str, cells: Sequence[Cell], *, tone: str = "") -> Row:
    return {"name": name, "cells": list(cells), "tone": tone}


def grid(head: Sequence[str], rows: Sequence[Row], *, code: bool = False, label: str = "") -> Grid:
    return {"head": list(head), "rows": list(rows), "code": code, "label": label}
