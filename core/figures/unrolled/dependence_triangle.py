"""The triangle of how far each prediction moves when an input is replaced."""

import math
from typing import TypedDict

from core.analysis.dependence import Dependence
from core.analysis.unrolled import Unrolled
from core.config.language import gettext as _
from core.figures.parts.axes import log_fraction
from core.figures.parts.symbols import KIND, visible
from core.text.tokenizer import Tokenizer

MOVED_FLOOR = 0.001  # a prediction that moved less is drawn as this


class DependenceScene(TypedDict):
    """The triangle of what moves what: per output the size of its move for every input up to it, in words and as a shade.

    Cells [t, k] beyond the diagonal are in ``changed`` only if they changed, which no causal network lets them.
    """

    inputs: list[str]
    targets: list[str]
    instead: str
    words: list[list[str]]
    shades: list[list[int]]
    changed: list[list[int]]
    ends: list[str]


def dependence_scene(d: Dependence, u: Unrolled, tokenizer: Tokenizer) -> DependenceScene:
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
    """What stood in for an input, in words."""
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
    """How far an input moves an output, to two digits; a dash where that is not known."""
    return "–" if math.isnan(moved) else f"<{MOVED_FLOOR:g}" if moved < MOVED_FLOOR else f"{moved:.2g}"
