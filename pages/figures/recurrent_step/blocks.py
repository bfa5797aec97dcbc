"""Matrices as blocks of cells, and drawings of boxes, wires, words and small matrices."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NotRequired, TypedDict

import numpy as np
from jaxtyping import Float

from pages.figures.parts.numbers import count, decimals, full

WIDTH = 972  # px of the main area

BlockCell = tuple[str, float, str]  # text, level on the diverging scale (-1 to 1), tooltip (a number: also the text to edit)
Point = tuple[float, float]


class MatrixPart(TypedDict):
    """A block of numbers in one tone; with ``edit`` the user can type other numbers into its cells."""

    id: str
    tone: str
    edit: bool
    cells: list[list[BlockCell]]


class Matrix(TypedDict):
    """Parts side by side or stacked. ``lights`` is the part to highlight for the selected cell of the result: its ``row``, its
    ``column``, the ``cell`` itself (in the result), or the cell at the same position in another matrix (``cell-of``)."""

    name: str
    shape: str
    lights: Literal["row", "column", "cell", "cell-of", ""]
    stack: Literal["across", "down"]
    parts: list[MatrixPart]


class Equation(TypedDict):
    """An equation in its own panel, headed by the notations of both sources; an operator is a string."""

    second: str  # code as in Deep Learning from Scratch 2, or a title
    first: str  # the formula as in Dive into Deep Learning, or empty
    words: str
    items: list[Matrix | str]


class WrittenSums(TypedDict):
    """For each row and column of the result: the addends [a, b, product, tone], the sums of those of either tone, whose formulas
    are ``names``, and the total."""

    title: str
    addends: list[list[list[list[str]]]]
    names: tuple[str, str]
    parts: list[list[tuple[str, str]]]
    totals: list[list[str]]
    note: list[list[str]]


class Blocks(TypedDict):
    """Equations of matrices. The result cell ``lit`` (row, column) is selected at first; ``each``: one panel per equation, which
    are the sub-steps of ``link``; ``hidden``: the results are filled in by the reader."""

    cell: list[int]  # width, height and font size, px
    equations: list[list[Matrix | str] | Equation]
    each: NotRequired[bool]
    link: NotRequired[str]
    wide: NotRequired[bool]
    lit: NotRequired[list[int]]
    sum: NotRequired[WrittenSums]
    beside: NotRequired[int]  # index of the equation beside which the sum is written
    notice: NotRequired[str]
    hidden: NotRequired[bool]


def times(shape: Sequence[int]) -> str:
    """A shape as text: 3×4."""
    return "×".join(count(size) for size in shape)


class Cells:
    """Cells with ``decimals`` decimals, coloured on one scale up to the largest absolute value in ``arrays``."""

    def __init__(self, decimals: int, *arrays: np.ndarray) -> None:
        self.decimals = decimals
        self._scale = max(float(np.abs(x).max(initial=0)) for x in arrays) or 1.0

    def cells(self, values: Float[np.ndarray, "A B"]) -> list[list[BlockCell]]:
        """The numbers of a matrix, row by row."""
        digits, scale = self.decimals, self._scale
        return [[(decimals(value, digits), round(float(value) / scale, 3), full(value)) for value in row] for row in values]

    def part(self, name: str, values: Float[np.ndarray, "A B"], tone: str = "", *, edit: bool = False) -> MatrixPart:
        return {"id": name, "tone": tone, "edit": edit, "cells": self.cells(values)}

    def matrix(
        self, name: str, values: Float[np.ndarray, "A B"], lights: str = "", tone: str = "", *, id: str = "", edit: bool = False
    ) -> Matrix:
        """A matrix of one part, whose ``id`` is by default the name without its braces."""
        return matrix(name, [self.part(id or name.replace("{", "").replace("}", ""), values, tone, edit=edit)], lights)


def matrix(name: str, parts: Sequence[MatrixPart], lights: str = "", *, stack: str = "across") -> Matrix:
    heights, widths = [len(part["cells"]) for part in parts], [len(part["cells"][0]) for part in parts]
    rows, columns = (heights[0], sum(widths)) if stack == "across" else (sum(heights), widths[0])
    return {"name": name, "shape": times((rows, columns)), "lights": lights, "stack": stack, "parts": list(parts)}


def equation(second: str, first: str, words: str, items: list[Matrix | str]) -> Equation:
    return {"second": second, "first": first, "words": words, "items": items}


@dataclass
class Wire:
    """A wire through ``points``, with an arrowhead at the last one."""

    points: Sequence[Point]
    tone: str = "forward"


@dataclass
class Box:
    """A box centred at (x, y), with lines of (text, tone)."""

    x: float
    y: float
    w: float
    h: float
    lines: Sequence[tuple[str, str]]


@dataclass
class Words:
    """A formula or, in the tone "muted", plain text. The index t of a formula is drawn as ``step`` + 1."""

    x: float
    y: float
    text: str
    tone: str = ""
    anchor: str = "start"
    step: int = 0


@dataclass
class CellGrid:
    """A matrix with its top left corner at (x, y) and cells of w x h px; ``opens`` is the index of the place that it opens."""

    x: float
    y: float
    w: float
    h: float
    cells: list[list[BlockCell]]
    tone: str
    opens: int | None = None


class OpenedMatrix(TypedDict):
    """A matrix whose numbers are written out below the drawing."""

    name: str
    shape: str
    tone: str
    cells: list[list[BlockCell]]


class OpenedPlace(TypedDict):
    """A title and the matrices that are opened below the drawing."""

    title: str
    matrices: list[OpenedMatrix]


@dataclass
class DiagramDrawing:
    """A drawing of ``size`` px, which ``label`` describes for screen readers; ``open`` is the index of the place opened at first.
    It is sent as a dict, made by ``dataclasses.asdict``."""

    size: list[int]
    label: str
    open: int = 0
    wires: list[Wire] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    words: list[Words] = field(default_factory=list)
    grids: list[CellGrid] = field(default_factory=list)
    places: list[OpenedPlace] = field(default_factory=list)
