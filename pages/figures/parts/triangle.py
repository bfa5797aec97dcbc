"""Triangles of sizes: one row for every loss t, one column for every state k <= t, so that columns are time steps.

Drawn by the ``triangle`` component. The cells that a truncation drops are not part of the drawing: the component gets them as
``reach``, so that a slider can change them without sending or drawing the triangle again.
"""

import math
from collections.abc import Sequence
from typing import TypedDict

import numpy as np
from jaxtyping import Float

from core.analysis.gradient_flow import GradientFlow
from core.analysis.unrolled import Dependence, Unrolled
from core.config.language import gettext as _
from core.text.tokenizer import Tokenizer
from pages.figures.parts.axes import log_fraction
from pages.figures.parts.numbers import number, percent
from pages.figures.parts.symbols import KIND, visible

DECADES = 3  # from the largest size down to the floor of the scale
SHADES = (10, 94)  # of the sequential scale
ZERO, NOT_FINITE = -1, -2  # in place of a shade
MOVED_FLOOR = 0.001  # smaller changes of a prediction are drawn like this one


class SumsBelow(TypedDict):
    """For every state two bars, in thousandths of the longest, both numbers, and the share left after cancellation."""

    bars: list[list[int]]
    words: list[list[str]]
    left: list[str]


class Triangle(TypedDict):
    """A row for every loss: cells with a shade and a number each."""

    inputs: list[str]
    targets: list[str]
    shades: list[list[int]]
    words: list[list[str]]
    ends: list[str]
    notes: list[str]
    below: SumsBelow | None


def flow_triangle(flow: GradientFlow, inputs: Sequence[str], targets: Sequence[str]) -> Triangle:
    """|d L_t / d h_k| for every t and k; below, for every state, over all losses: the norm of the sum of the vectors
    beside the sum of their norms."""
    return triangle_drawing(flow.norms, inputs, targets) | {"below": sums_below(flow.of_sum, flow.sum_of_norms)}


def triangle_drawing(sizes: Float[np.ndarray, "T T"], inputs: Sequence[str], targets: Sequence[str]) -> Triangle:
    """The triangle of ``sizes[t-1, k-1]`` for k <= t."""
    T = len(sizes)
    rows = [sizes[t, : t + 1].tolist() for t in range(T)]
    finite = [size for row in rows for size in row if math.isfinite(size)]
    top = max(finite, default=0.0)
    return {
        "inputs": [visible(symbol) for symbol in inputs],
        "targets": [visible(symbol) for symbol in targets],
        "shades": [[shade(size, top) for size in row] for row in rows],
        "words": [[number(size) for size in row] for row in rows],
        "ends": [f"≤ {number(top / 10**DECADES, 2)}", number(top, 2)] if top > 0 else ["0", "0"],
        "notes": notes(rows, finite),
        "below": None,
    }


def shade(size: float, largest: float) -> int:
    """A size on a logarithmic scale, as a shade; ``ZERO`` for an exact zero, ``NOT_FINITE`` for infinity and NaN."""
    if not math.isfinite(size):
        return NOT_FINITE
    if size <= 0:
        return ZERO
    return round(SHADES[0] + (SHADES[1] - SHADES[0]) * log_fraction(size, largest, DECADES))


def notes(rows: Sequence[Sequence[float]], finite: Sequence[float]) -> list[str]:
    """Notes on cells outside the colour scale: exact zeros, which have no logarithm, and sizes that are not finite."""
    many = sum(len(row) for row in rows)
    exploded, zeros = many - len(finite), finite.count(0)
    return [
        *([_("{n} of {many} are no longer finite: exploded", n=exploded, many=many)] if exploded else []),
        *([_("{n} of {many} are exactly zero", n=zeros, many=many)] if zeros else []),
    ]


def sums_below(of_sum: Float[np.ndarray, " T"], sum_of_norms: Float[np.ndarray, " T"]) -> SumsBelow:
    """A bar that is not finite has full length, and a share that is not finite is left out."""
    longest = sum_of_norms[np.isfinite(sum_of_norms)].max(initial=0.0) or 1.0
    pairs = np.stack([of_sum, sum_of_norms], axis=1)
    with np.errstate(all="ignore"):
        lengths = np.fmin(pairs / longest, 1.0)
        shares = (of_sum / sum_of_norms).tolist()
    return {
        "bars": np.rint(1000 * lengths).astype(int).tolist(),
        "words": [[number(size) for size in pair] for pair in pairs.tolist()],
        "left": [percent(share) if math.isfinite(share) else "" for share in shares],
    }


class DependenceDrawing(TypedDict):
    """The triangle of dependences: how much each input up to an output changes that output, as text and as a shade.

    ``changed``: the cells [t, k] beyond the diagonal that changed; none for a causal network.
    """

    inputs: list[str]
    targets: list[str]
    instead: str
    words: list[list[str]]
    shades: list[list[int]]
    changed: list[list[int]]
    ends: list[str]


def dependence_drawing(d: Dependence, u: Unrolled, tokenizer: Tokenizer) -> DependenceDrawing:
    T = len(u.tokens)
    return {
        "inputs": [visible(symbol) for symbol in tokenizer.symbols(u.tokens)],
        "targets": [visible(symbol) for symbol in tokenizer.symbols(u.targets)],
        "instead": _instead(len(d.replaced_by), tokenizer),
        "words": [[_moved_words(d.moved[t, k]) for k in range(t + 1)] for t in range(T)],
        "shades": [[moved_shade(d.moved[t, k]) for k in range(t + 1)] for t in range(T)],
        "changed": [[t, k] for t in range(T) for k in range(t + 1, T) if not d.same[t, k]],
        "ends": [f"≤ {MOVED_FLOOR:g}", "1"],
    }


def _instead(many: int, tokenizer: Tokenizer) -> str:
    """The tokens that replaced an input, in words."""
    kind, others = _(KIND[tokenizer.unit]), tokenizer.size - 1
    if others <= 1:
        return _("the other {kind}", kind=kind)
    if many == others:
        return _("each of the {n} other {kind}s", n=many, kind=kind)
    return _("each of the {n} most frequent other {kind}s", n=many, kind=kind)


def moved_shade(moved: float) -> int:
    """A distance on a logarithmic scale from MOVED_FLOOR (0) to 1 (100)."""
    return round(100 * log_fraction(moved, 1.0, -math.log10(MOVED_FLOOR))) if moved > MOVED_FLOOR else 0


def _moved_words(moved: float) -> str:
    """The change of an output with two significant digits; – for NaN."""
    return "–" if math.isnan(moved) else f"<{MOVED_FLOOR:g}" if moved < MOVED_FLOOR else f"{moved:.2g}"
