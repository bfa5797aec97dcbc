"""The recurrent step, drawn: matrices as blocks, shapes to scale, and the words beside them.

A formula is written as in a text: ``W_{xh}``; a piece of one is ``[text, tone]``. Matrices are named by both sources where a
reader meets them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Float

from core.analysis.recurrent_step import StepMatrices, TwoWays

Scene = dict[str, Any]
Pieces = list[list[str]]
WIDTH = 972  # px of the main area
CELL_WIDTH = {1: (27, 45), 4: (52, 58)}  # decimals: narrowest and widest cell, px
MINUS = "−"


def fixed(value: float, decimals: int) -> str:
    """A number with so many decimals and a true minus sign; never minus zero."""
    return f"{round(value, decimals) + 0.0:.{decimals}f}".replace("-", MINUS)


def full(value: float) -> str:
    """A number as it can be typed: no trailing zeros, at most six decimals."""
    return f"{round(value, 6) + 0.0:.6f}".rstrip("0").rstrip(".").replace("-", MINUS)


def exponent(value: float) -> str:
    """A tiny number as two figures and a power of ten; plain 0 when it is exactly that."""
    return "exactly 0" if value == 0 else f"{value:.1e}".replace("-", MINUS)


# Two products, one product


def products(m: StepMatrices, ways: TwoWays, *, decimals: int, notice: str = "") -> Scene:
    """X W_xh + H W_hh above, [X, H] [W_xh; W_hh] below, cell by cell the same."""
    N, D, H = *m.X.shape, m.W_hh.shape[0]
    cell = _cell(D + 4 * H, decimals)
    given = _Cells(decimals, m.X, m.W_xh, m.H, m.W_hh)
    result = _Cells(_result_decimals(cell, decimals), ways.two, ways.one)
    X, W_xh = given.part("X", m.X, "input", edit=True), given.part("W_xh", m.W_xh, "input", edit=True)
    h, W_hh = given.part("H", m.H, "memory", edit=True), given.part("W_hh", m.W_hh, "memory", edit=True)
    above = [
        _matrix("X", [X], "row"), "·", _matrix("W_{xh}", [W_xh], "column"), "+",
        _matrix("H", [h], "row"), "·", _matrix("W_{hh}", [W_hh], "column"), "=",
        _matrix("X W_{xh} + H W_{hh}", [result.part("sum of two products", ways.two)], "cell"),
    ]  # fmt: skip
    below = [
        _matrix("[X, H]", [X, h], "row"), "·", _matrix("[W_{xh} ; W_{hh}]", [W_xh, W_hh], "column", stack="down"), "=",
        _matrix("the same", [result.part("one product", ways.one)], "cell"),
    ]  # fmt: skip
    return {
        "cell": cell,
        "equations": [above, below],
        "beside": 1,
        "lit": [min(1, N - 1), min(2, H - 1)],
        "sum": _sum(m, ways, decimals),
        "notice": notice,
    }


def products_words() -> list[Scene]:
    """The sentence that the two equations prove."""
    return [
        {
            "formula": [
                ["H_t = φ(", ""],
                ["X_t W_{xh}", "input"],
                [" + H_{t−1} W_{hh} + b_h)  =  φ([", ""],
                ["X_t", "input"],
                [", H_{t−1}] [", ""],
                ["W_{xh}", "input"],
                [" ; W_{hh}] + b_h)", ""],
            ],
            "sentences": [
                [
                    ["So a recurrent layer is one affine layer on ", ""],
                    ["what comes in", "input"],
                    [" next to ", ""],
                    ["what it remembers", "memory"],
                    [". Type other numbers into the cells: the two stay equal up to rounding.", ""],
                ]
            ],
        }
    ]


def _sum(m: StepMatrices, ways: TwoWays, decimals: int) -> Scene:
    """The addends of every cell, written out; those from the input are blue."""
    left, right = np.concatenate([m.X, m.H], axis=1), np.concatenate([m.W_xh, m.W_hh])
    D = m.X.shape[1]
    return {
        "title": "The cell under the pointer",
        "addends": [
            [_addends(left[n], right[:, j], ways.addends[n, j], D, decimals) for j in range(right.shape[1])]
            for n in range(len(left))
        ],
        "totals": [[fixed(value, max(2, decimals)) for value in row] for row in ways.one],
        "note": [["largest difference of all cells", exponent(ways.difference)]],
    }


def _addends(
    row: Float[np.ndarray, " K"], column: Float[np.ndarray, " K"], products: Float[np.ndarray, " K"], D: int, decimals: int
) -> list[list[str]]:
    tones = ["input"] * D + ["memory"] * (len(row) - D)
    return [
        [fixed(a, decimals), _bracketed(b, decimals), fixed(product, max(2, decimals)), tone]
        for a, b, product, tone in zip(row, column, products, tones, strict=True)
    ]


def _bracketed(value: float, decimals: int) -> str:
    text = fixed(value, decimals)
    return f"({text})" if text.startswith(MINUS) else text


def _cell(columns: int, decimals: int, matrices: int = 5) -> list[int]:
    """Width, height and font size of a cell, px, so that ``columns`` of them stand in one line where that is possible."""
    narrow, wide = CELL_WIDTH[decimals]
    room = (WIDTH - 42 * matrices) // columns - 2
    width = min(max(room, narrow), wide)
    return [width, 30 if width >= 38 else 28, 16 if width >= 42 and decimals == 1 else 14 if width >= 32 else 12]


def _result_decimals(cell: Sequence[int], decimals: int) -> int:
    return decimals if decimals > 1 or cell[0] < 40 else 2


class _Cells:
    """Numbers as they stand in cells: ``decimals`` places, coloured on one scale from the largest of all ``arrays`` down."""

    def __init__(self, decimals: int, *arrays: np.ndarray) -> None:
        self.decimals = decimals
        self._scale = max(float(np.abs(x).max(initial=0)) for x in arrays) or 1.0

    def part(self, name: str, values: Float[np.ndarray, "A B"], tone: str = "", *, edit: bool = False) -> Scene:
        return {"id": name, "tone": tone, "edit": edit, "cells": [[self._cell(value) for value in row] for row in values]}

    def _cell(self, value: float) -> list[Any]:
        return [fixed(value, self.decimals), round(float(value) / self._scale, 3), full(value)]


def _matrix(name: str, parts: Sequence[Scene], lights: str = "", *, stack: str = "across") -> Scene:
    heights, widths = [len(part["cells"]) for part in parts], [len(part["cells"][0]) for part in parts]
    rows, columns = (heights[0], sum(widths)) if stack == "across" else (sum(heights), widths[0])
    return {"name": name, "shape": f"{rows}×{columns}", "lights": lights, "stack": stack, "parts": list(parts)}
