"""Matrices as blocks of cells, and drawings of boxes, wires, words and small matrices."""

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict

import numpy as np
from jaxtyping import Float

from core.figures.parts.numbers import MINUS, count, fixed, full

WIDTH = 972  # px of the main area
CELL_WIDTH = {1: (25, 45), 4: (52, 58)}  # decimals: narrowest and widest cell, px


BlockCell = tuple[str, float, str]  # what stands in it, its place on the diverging scale, -1 to 1, and all its digits
Point = tuple[float, float]


class MatrixPart(TypedDict):
    """Numbers of one tone; those to ``edit`` can be typed over."""

    id: str
    tone: str
    edit: bool
    cells: list[list[BlockCell]]


class Matrix(TypedDict):
    """Parts side by side or one above the other. A cell of the result lights the ``row`` and the ``column`` that made it, and the
    ``cell-of`` others at its place."""

    name: str
    shape: str
    lights: Literal["row", "column", "cell", "cell-of", ""]
    stack: Literal["across", "down"]
    parts: list[MatrixPart]


class Equation(TypedDict):
    """An equation in a panel of its own, named as both sources name it; an operator is text."""

    second: str
    first: str
    words: str
    items: list[Matrix | str]


class WrittenSums(TypedDict):
    """By row and column of the result: addends [a, b, product, tone], and their total."""

    title: str
    addends: list[list[list[list[str]]]]
    totals: list[list[str]]
    note: list[list[str]]


class Blocks(TypedDict):
    """Equations of matrices, the result at ``lit`` (row, column) lighted first; with ``each``, every one in its own panel."""

    cell: list[int]  # width, height and font size, px
    equations: list[list[Matrix | str] | Equation]
    each: NotRequired[bool]
    wide: NotRequired[bool]
    lit: NotRequired[list[int]]
    sum: NotRequired[WrittenSums]
    beside: NotRequired[int]  # the number of the equation that the sum stands beside
    notice: NotRequired[str]


def bracketed(value: float, decimals: int) -> str:
    """A number as it stands after a sign: in brackets when it is negative."""
    text = fixed(value, decimals)
    return f"({text})" if text.startswith(MINUS) else text


def cell_size(columns: int, decimals: int) -> list[int]:
    """Width, height and font size of a cell, px, so that ``columns`` of them, in five matrices, stand in one line if possible."""
    narrow, wide = CELL_WIDTH[decimals]
    room = (WIDTH - 5 * 42) // columns - 2
    width = min(max(room, narrow), wide)
    return [width, 30 if width >= 38 else 28, 16 if width >= 42 and decimals == 1 else 14 if width >= 32 else 12]


def result_decimals(cell: Sequence[int], decimals: int) -> int:
    """With how many decimals a result is shown in a cell of this size."""
    return decimals if decimals > 1 or cell[0] < 40 else 2


def times(shape: Sequence[int]) -> str:
    """A shape in words: 3×4."""
    return "×".join(count(size) for size in shape)


class Cells:
    """Numbers as they stand in cells: ``decimals`` places, coloured on one scale from the largest of all ``arrays`` down."""

    def __init__(self, decimals: int, *arrays: np.ndarray) -> None:
        self.decimals = decimals
        self._scale = max(float(np.abs(x).max(initial=0)) for x in arrays) or 1.0

    def part(self, name: str, values: Float[np.ndarray, "A B"], tone: str = "", *, edit: bool = False) -> MatrixPart:
        return {"id": name, "tone": tone, "edit": edit, "cells": [[self.cell(value) for value in row] for row in values]}

    def cell(self, value: float) -> BlockCell:
        return fixed(value, self.decimals), round(float(value) / self._scale, 3), full(value)


def matrix(name: str, parts: Sequence[MatrixPart], lights: str = "", *, stack: str = "across") -> Matrix:
    heights, widths = [len(part["cells"]) for part in parts], [len(part["cells"][0]) for part in parts]
    rows, columns = (heights[0], sum(widths)) if stack == "across" else (sum(heights), widths[0])
    return {"name": name, "shape": times((rows, columns)), "lights": lights, "stack": stack, "parts": list(parts)}


def equation(second: str, first: str, words: str, items: list[Matrix | str]) -> Equation:
    return {"second": second, "first": first, "words": words, "items": items}


class Wire(TypedDict):
    """Through its points, with a head at the last."""

    points: list[list[float]]
    tone: str


class Box(TypedDict):
    """Around (x, y), with lines of [words, tone]."""

    x: float
    y: float
    w: float
    h: float
    lines: list[list[str]]


class Words(TypedDict):
    """A formula or, in the tone "muted", plain words; its index t is that of ``step``, from 0."""

    x: float
    y: float
    text: str
    tone: str
    anchor: str
    step: int


class CellGrid(TypedDict):
    """A matrix from (x, y) on, whose cells are w x h; ``opens`` is the place that it opens."""

    x: float
    y: float
    w: float
    h: float
    cells: list[list[BlockCell]]
    tone: str
    opens: int | None


class OpenedMatrix(TypedDict):
    """A matrix in numbers."""

    name: str
    shape: str
    tone: str
    cells: list[list[BlockCell]]


class OpenedPlace(TypedDict):
    """What is opened below the drawing."""

    title: str
    matrices: list[OpenedMatrix]


class DiagramScene(TypedDict):
    """A drawing in px; ``open`` is the place opened at first."""

    size: list[int]
    label: str
    wires: list[Wire]
    boxes: list[Box]
    words: list[Words]
    grids: list[CellGrid]
    places: list[OpenedPlace]
    open: int


class Diagram:
    """A drawing so many px wide and high; ``label`` says in words what it shows. Things are added to it one by one."""

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
        """A place whose matrices can be opened; its number."""
        self._scene["places"].append({"title": title, "matrices": list(matrices)})
        return len(self._scene["places"]) - 1

    def scene(self, open: int = 0) -> DiagramScene:
        return {**self._scene, "open": open}
