"""A gradient as a heat map to pick a weight from, and the derivative of the picked weight, numeric beside analytic."""

import base64
import math
from typing import TypedDict

import numpy as np

from core.analysis.gradient_check import BlockMaxima, GradientCheck
from core.config.language import gettext as _
from core.text.tokenizer import Tokenizer
from pages.content.notation import FIRST_SOURCE, in_full, in_notation
from pages.figures.parts.axes import DOT_MARGIN, linear_axis, log_axis
from pages.figures.parts.chart import Curve, Figure, chart
from pages.figures.parts.numbers import number
from pages.figures.parts.symbols import visible
from pages.figures.parts.tables import Comparison

DIGITS = 8  # significant digits of a derivative
COLOUR_QUANTILE = 0.99  # share of the cells within the colour scale; larger values get the colour at its end
ENDS = {  # meaning of a weight's row and column: input, unit, token or number of the embedding
    "W_xh": ("input", "unit"),
    "W_hh": ("unit", "unit"),
    "b_h": ("", "unit"),
    "W_hq": ("unit", "token"),
    "b_q": ("", "token"),
    "W_emb": ("token", "number"),
}


class WeightMap(TypedDict):
    """The gradient of one matrix, and the weight that is picked."""

    matrices: list[list[str]]  # [name, label] of every matrix
    matrix: str
    sizes: list[int]
    index: list[int]
    flat: bool  # whether it is a vector
    cells: str  # signed bytes in base64, -127 to 127; -128 is nan
    shape: list[int]  # rows and columns of cells
    at: list[int]  # row and column of the cell that contains the weight
    pooled: bool  # whether a cell stands for several weights
    limit: str
    leads: str
    title: str
    says: str


def weight_map(
    blocks: BlockMaxima,
    sizes: dict[str, tuple[int, ...]],
    name: str,
    index: tuple[int, ...],
    tokenizer: Tokenizer,
    *,
    one_hot: bool,
    notation: str = FIRST_SOURCE,
) -> WeightMap:
    """The heat map of the matrix ``name``; ``sizes`` holds the shapes of all matrices."""
    limit = _limit(blocks.values)
    shape = sizes[name] if len(sizes[name]) == 2 else (1, *sizes[name])
    row, column = (0, *index)[-2:]
    ends = [_end(kind, i, tokenizer, one_hot) for kind, i in zip(ENDS[name], (row, column), strict=True)]
    return {
        "matrices": [
            [matrix, _("{name}: {size}", name=in_full(matrix, notation), size=" × ".join(map(str, size)))]
            for matrix, size in sizes.items()
        ],
        "matrix": name,
        "sizes": list(shape),
        "index": [int(row), int(column)],
        "flat": len(sizes[name]) == 1,
        "cells": base64.b64encode(_shades(blocks.values, limit)).decode(),
        "shape": list(blocks.values.shape),
        "at": [int(row) // blocks.height, int(column) // blocks.width],
        "pooled": blocks.values.shape != shape,
        "limit": f"±{number(limit, 2)}",
        "leads": " → ".join(filter(None, ends)),
        "title": f"dL/d{in_notation(name, notation)}",
        "says": _("Gradient of {name}, in nats per unit of weight", name=in_full(name, notation)),
    }


def _limit(values: np.ndarray) -> float:
    sizes = np.abs(values[np.isfinite(values)])
    return float(np.quantile(sizes, COLOUR_QUANTILE)) or float(sizes.max()) if sizes.size else 0.0


def _shades(values: np.ndarray, limit: float) -> bytes:
    """A signed byte for each value, -127 to 127; -128 for nan."""
    with np.errstate(all="ignore"):
        levels = np.clip(np.round(127 * values / (limit or 1.0)), -127, 127)
    return np.where(np.isnan(levels), -128, levels).astype(np.int8).tobytes()


def _end(kind: str, i: int, tokenizer: Tokenizer, one_hot: bool) -> str:
    if kind == "input":
        kind = "token" if one_hot else "number"
    if kind == "token":
        return f"“{visible(tokenizer.vocab[i])}”"
    return {"unit": _("unit {i}", i=i), "number": _("number {i}", i=i)}.get(kind, "")


def check_figure(check: GradientCheck) -> Figure:
    """Relative difference over eps: it falls with eps squared until rounding takes over."""
    places = [round(math.log10(eps), 3) for eps in check.epsilons]
    dots = Curve(_("relative difference"), places, check.relative.tolist(), mode="markers")
    y = log_axis(_("relative difference (log scale)"), dots.y)
    return chart([dots], linear_axis(_("log₁₀ of the nudge ε"), places, DOT_MARGIN), y, height=300)


def check_numbers(check: GradientCheck) -> Comparison:
    """The analytic derivative, the numeric one for every eps, and a sentence on how well they agree."""
    where = f"{check.name}[{', '.join(map(str, check.index))}]"
    rows = [
        [f"ε = {number(eps, 1)}", number(float(numeric), DIGITS), number(float(relative), 2)]
        for eps, numeric, relative in zip(check.epsilons, check.numeric, check.relative, strict=True)
    ]
    return {
        "columns": ["(L(w+ε) − L(w−ε)) / 2ε", _("relative difference")],
        "rows": [[_("backward"), number(check.analytic, DIGITS), ""], *rows],
        "sentence": _("{weight}: {verdict}", weight=f"{where} = {number(check.weight)}", verdict=_verdict(check)),
        "note": _("in float64: a large ε bends with the loss, a small one drowns in rounding"),
    }


def _verdict(check: GradientCheck) -> str:
    best = float(check.relative[check.best])
    if math.isnan(best):
        return _("the loss is no finite number, so neither is its derivative.")
    if check.analytic == 0 and not check.numeric.any():
        return _("no loss of this text depends on it; both derivatives are exactly zero.")
    digits = min(15, max(0, math.floor(-math.log10(best)))) if best else 15
    if digits < 3:
        return _("the two do not agree; a kink of φ lies within ε, or the derivative is lost in rounding.")
    eps = number(check.epsilons[check.best], 1)
    return _("nudged by ε = {eps}, the losses agree with backward to {digits} digits.", eps=eps, digits=digits)
