"""Matrices as blocks of cells, and drawings of boxes, wires, words and small matrices."""

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict

import numpy as np
from jaxtyping import Float

from core.figures.parts.numbers import MINUS, count, fixed, full

WIDTH = 972  # px of the main area
CELL_WIDTH = {1: (25, 45), 4: (52, 58)}  # decimals: narrowest and widest cell, px


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
    """For each row and column of the result: the addends [a, b, product, tone] and their total."""

    title: str
    addends: list[list[list[list[str]]]]
    totals: list[list[str]]
    note: list[list[str]]


class Blocks(TypedDict):
    """Equations of matrices. The result cell ``lit`` (row, column) is selected at first; ``each``: one panel per equation."""

    cell: list[int]  # width, height and font size, px
    equations: list[list[Matrix | str] | Equation]
    each: NotRequired[bool]
    wide: NotRequired[bool]
    lit: NotRequired[list[int]]
    sum: NotRequired[WrittenSums]
    beside: NotRequired[int]  # index of the equation beside which the sum is written
    notice: NotRequired[str]


def bracketed(value: float, decimals: int) -> str:
    """A number to be written after an operator: in brackets when it is negative."""
    text = fixed(value, decimals)
    return f"({text})" if text.startswith(MINUS) else text


def cell_size(columns: int, decimals: int) -> list[int]:
    """Width, height and font size of a cell, px: five matrices with ``columns`` columns in all fit into one line if possible."""
    narrow, wide = CELL_WIDTH[decimals]
    room = (WIDTH - 5 * 42) // columns - 2
    width = min(max(room, narrow), wide)
    return [width, 30 if width >= 38 else 28, 16 if width >= 42 and decimals == 1 else 14 if width >= 32 else 12]


def result_decimals(cell: Sequence[int], decimals: int) -> int:
    """The number of decimals of a result in a cell of this size."""
    return decimals if decimals > 1 or cell[0] < 40 else 2


def times(shape: Sequence[int]) -> str:
    """A shape as text: 3×4."""
    return "×".join(count(size) for size in shape)


class Cells:
    """Cells with ``decimals`` decimals, coloured on one scale up to the largest absolute value in ``arrays``."""

    def __init__(self, decimals: int, *arrays: np.ndarray) -> None:
        self.decimals = decimals
        self._scale = max(float(np.abs(x).max(initial=0)) for x in arrays) or 1.0

    def part(self, name: str, values: Float[np.ndarray, "A B"], tone: str = "", *, edit: bool = False) -> MatrixPart:
        return {"id": name, "tone": tone, "edit": edit, "cells": [[self.cell(value) for value in row] for row in values]}

    def cell(self, value: float) -> BlockCell:
        return fixed(value, self.decimals), round(float(value) / self._scale, 3), full(value)


def matrix(name: str, parts: Sequence[MatrixPart], highlight: str = "", *, stack: str = "across") -> Matrix:
    heights, widths = [len(part["cells"]) for part in parts], [len(part["cells"][0]) for part in parts]
    rows, columns = (heights[0], sum(widths)) if stack == "across" else (sum(heights), widths[0])
    return {"name": name, "shape": times((rows, columns)), "lights": highlight, "stack": stack, "parts": list(parts)}


def equation(second: str, first: str, words: str, items: list[Matrix | str]) -> Equation:
    return {"second": second, "first": first, "words": words, "items": items}


class Wire(TypedDict):
    """A wire through ``points``, with an arrowhead at the last one."""

    points: list[list[float]]
    tone: str


class Box(TypedDict):
    """A box centred at (x, y), with lines of [text, tone]."""

    x: float
    y: float
    w: float
    h: float
    lines: list[list[str]]


class Words(TypedDict):
    """A formula or, in the tone "muted", plain text. The index t of a formula is drawn as ``step`` + 1."""

    x: float
    y: float
    text: str
    tone: str
    anchor: str
    step: int


class CellGrid(TypedDict):
    """A matrix with its top left corner at (x, y) and cells of w x h px; ``opens`` is the index of the place that it opens."""

    x: float
    y: float
    w: float
    h: float
    cells: list[list[BlockCell]]
    tone: str
    opens: int | None


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


class DiagramScene(TypedDict):
    """A drawing in px; ``open`` is the index of the place opened at first."""

    size: list[int]
    label: str
    wires: list[Wire]
    boxes: list[Box]
    words: list[Words]
    grids: list[CellGrid]
    places: list[OpenedPlace]
    open: int


class Diagram:
    """Builds a drawing of ``width`` x ``height`` px, part by part; ``label`` describes it for screen readers."""

    def __init__(self, width: int, height: int, label: str) -> None:
        self._scene: DiagramScene = {
            "size": [width, height], "label": label, "wires": [], "boxes": [], "words": [], "grids": [], "places": [], "open": 0,
        }  # fmt: skip

    def wire(self, *points: Point, tone: str = "forward") -> None:
        self._scene["wires"].append({"points": [list(point) for point in points], "tone": tone})

    def box(self, x: float, y: float, w: float, h: float, *lines: tuple[str, str]) -> None:
        self._scene["boxes"].append({"x": x, "y": y, "w": w, "h": h, "lines": [list(line) for line in lines]})

    def words(self, x: float, y: float, text: str, tone: str = "", anchor: str = "start", step: int = 0) -> None:
        self._scene["words"].append({"x": x, "y": y, "text": text, "tone": tone, "anchor": anchor, "step": step})

    def grid(
        self, x: float, y: float, w: float, h: float, cells: list[list[BlockCell]], tone: str, opens: int | None = None
    ) -> None:
        self._scene["grids"].append({"x": x, "y": y, "w": w, "h": h, "cells": cells, "tone": tone, "opens": opens})

    def place(self, title: str, matrices: Sequence[OpenedMatrix]) -> int:
        """Add a place whose matrices can be opened, and return its index."""
        self._scene["places"].append({"title": title, "matrices": list(matrices)})
        return len(self._scene["places"]) - 1

    def scene(self, open: int = 0) -> DiagramScene:
        return {**self._scene, "open": open}
