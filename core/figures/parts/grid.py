"""Tables of numbers drawn as a grid: what the ``grid`` component shows. All of it is text; a cell may be shaded or hold a bar."""

import math
from collections.abc import Sequence
from typing import Any

Cell = dict[str, Any]


def cell(text: str, *, tone: str = "", level: float | None = None, bar: float | None = None, note: str = "") -> Cell:
    """``tone``: muted, strong, forward, backward. ``level``: shade on the sequential scale, 0 to 1. ``bar``: its length, 0 to 1.
    Neither is drawn for a number that is NaN. ``note`` is said when the pointer rests on it.
    """
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


def row(name: str, cells: Sequence[Cell], *, tone: str = "") -> dict[str, Any]:
    """A line of the table under its name; ``tone`` strong for the one that is looked for, forward for the network's."""
    return {"name": name, "cells": list(cells), "tone": tone}


def grid(head: Sequence[str], rows: Sequence[dict[str, Any]], *, code: bool = False, label: str = "") -> dict[str, Any]:
    """The whole table. ``head`` names the first column and the others; ``code`` sets it in the letters of code."""
    return {"head": list(head), "rows": list(rows), "code": code, "label": label}
