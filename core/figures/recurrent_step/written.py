"""How a number is written beside a drawing, and what a drawing and a piece of a formula are.

A formula is written as in a text: ``W_{xh}``; a piece of one is ``[text, tone]``. Matrices are named by both sources where a
reader meets them.
"""

from typing import Any

Scene = dict[str, Any]
Pieces = list[list[str]]
MINUS = "−"


def fixed(value: float, decimals: int) -> str:
    """A number with so many decimals and a true minus sign; never minus zero.

    Rounded to nine decimals first, so that two results that differ by rounding alone, one just above a half and one just
    below, read the same.
    """
    return f"{round(round(float(value), 9), decimals) + 0.0:.{decimals}f}".replace("-", MINUS)


def full(value: float) -> str:
    """A number as it can be typed: no trailing zeros, at most six decimals."""
    return f"{round(value, 6) + 0.0:.6f}".rstrip("0").rstrip(".").replace("-", MINUS)


def exponent(value: float) -> str:
    """A tiny number as two figures and a power of ten; plain 0 when it is exactly that."""
    return "exactly 0" if value == 0 else f"{value:.1e}".replace("-", MINUS)


def percentage(value: float) -> str:
    return "0" if value == 0 else f"{value:.1f}" if value < 9.95 else f"{value:.0f}"
