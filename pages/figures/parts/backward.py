"""The backward pass in the drawing of the unrolled network, and each of its steps in numbers.

``backward_drawing`` is laid over a drawing of ``pages.figures.parts.network``:

    drawing = network_drawing(unrolled, tokenizer) | {"backward": backward_drawing(passed, borders, begin=0)}

``passed`` is a ``core.analysis.backward.BackwardPass`` over the same window. Where the backward arrow is cut the drawing shows
scissors and nothing flows; where the state is reset it shows a zero in place of the forward arrow.
"""

import base64
import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict

import numpy as np
from jaxtyping import Float

from core.analysis.backward import BackwardPass, LastLoss
from core.analysis.unrolled import Unrolled, top_variance_units
from core.config.language import gettext as _, lazy_gettext
from pages.figures.parts.axes import log_fraction
from pages.figures.parts.network import STRIP_UNITS, NetworkDrawing, hundredths, largest_of
from pages.figures.parts.numbers import in_hundred, number

DECADES = 2  # below the largest arrow; smaller arrows are drawn as thin as at this limit
THINNEST, WIDEST = 1.8, 7.0  # px of an arrow's shaft
WHOLE = 18.0  # px of the shaft that stands for 100 %, where widths are in proportion to sizes
SHADES = (50, 80)  # of the sequential scale, for the smallest and the largest arrow: legible on the background
SLOPES = {"tanh": "1 − h_{t}²", "relu": "[a_{t} > 0]", "sigmoid": "h_{t} (1 − h_{t})"}
SUBSTEPS = (  # name and equation of each sub-step, in the notation of ``network.forward_substeps``
    ("dlogits", "do_{t} = p_{t} − y_{t}"),
    (lazy_gettext("dh above"), lazy_gettext("do_{t} W_{hq}ᵀ,  from the loss of this step")),
    (lazy_gettext("dh future"), lazy_gettext("da_{t+1} W_{hh}ᵀ,  from all later losses")),
    (lazy_gettext("sum"), "dh_{t} = do_{t} W_{hq}ᵀ + da_{t+1} W_{hh}ᵀ"),
    ("da", "da_{t} = dh_{t} × (SLOPE)"),
    ("dW", "dW_{hh} += h_{t-1}ᵀ da_{t},  dW_{xh} += x_{t}ᵀ da_{t},  db_{h} += da_{t}"),
)
GRADIENTS = ["dW_{xh}", "dW_{hh}", "db_{h}"]  # gradients to which every step adds a term
EQUATIONS_WITHOUT_FUTURE = {  # of a step without a gradient from the future, by index of the sub-step
    2: lazy_gettext("0:  no later loss reaches this step"),
    3: "dh_{t} = do_{t} W_{hq}ᵀ",
}
OF_LAST = (  # the sub-steps, if only the last loss counts: a step back is a product of two factors
    ("dlogits", lazy_gettext("0:  the last loss alone counts")),
    (lazy_gettext("dh above"), lazy_gettext("0:  the last loss alone counts")),
    (lazy_gettext("dh future"), "da_{t+1} W_{hh}ᵀ"),
    (lazy_gettext("one factor"), lazy_gettext("W_{hh}:  dh_{t} = da_{t+1} W_{hh}ᵀ")),
    (lazy_gettext("the other"), lazy_gettext("φ':  da_{t} = dh_{t} × (SLOPE)")),
    (lazy_gettext("one step back"), "da_{t} = (SLOPE) × (da_{t+1} W_{hh}ᵀ)"),
)
LAST_STEP = {  # of the last step, from which that gradient sets out
    0: "do_{t} = p_{t} − y_{t}",
    1: "do_{t} W_{hq}ᵀ",
    2: lazy_gettext("0:  no later loss reaches this step"),
    3: "dh_{t} = do_{t} W_{hq}ᵀ",
    5: "da_{t} = (SLOPE) × (do_{t} W_{hq}ᵀ)",
}


Arrow = tuple[float, int, str]  # width in px, shade, size in words


class Border(TypedDict):
    """A border between two blocks of a window, and its effect on the forward and the backward pass."""

    after: int  # the number of the last step before it, 1 to T-1
    forward: Literal["carried", "reset"]
    backward: Literal["cut", "open"]
    name: NotRequired[str]  # of the state that is carried over


class BackwardDrawing(TypedDict):
    """Arrows into every state, from its loss and from the state after it. The shade of an exact zero is -1."""

    begin: int  # the column, from 0, at which the play head of the backward pass starts
    substeps: list[list[str]]
    alone: dict[int, str]  # equations of a step without a gradient from the future, by index of the sub-step
    from_loss: list[Arrow]
    from_future: list[Arrow]
    scale: str
    borders: list[Border]  # left to right
    left: list[str]  # of the gradient of the last loss at every state, in per cent; [] if arrows carry that of all losses
    factors: list[tuple[str, str]]  # by which each step back multiplies it, φ' and W_hh


class BothWays(NetworkDrawing, total=False):
    """The drawing of the network, with or without the backward pass."""

    backward: BackwardDrawing


class BackwardStep(TypedDict):
    """``strips``: both branches of dh, their sum, and da, in hundredths of the largest value of this step."""

    strips: list[list[int]]
    slope: list[int]
    sizes: list[str]
    mean_slope: str
    pieces: list[str]
    whole: str


class BackwardNumbers(TypedDict):
    """``so_far``: (T, units, units) signed bytes in base64. ``cut``: steps without a gradient from the future (truncation)."""

    units: int
    gradients: list[str]
    slope: str
    steps: list[BackwardStep]
    so_far: str
    cut: list[int]


def backward_drawing(
    b: BackwardPass, borders: Sequence[Border] = (), *, begin: int = 0, of_last: bool = False
) -> BackwardDrawing:
    """Arrows that carry the gradient of all losses, on one logarithmic scale, which ends ``DECADES`` below the largest arrow; or
    (``of_last``) that of the last loss alone, as wide as what is left of it, with the factors of every step back."""
    activation = b.trace.activation
    if of_last:
        return {
            "begin": begin,
            **_laws(OF_LAST, LAST_STEP, activation),
            **_arrows_of_last(b.last_loss()),
            "borders": list(borders),
        }
    losses, futures = sizes(b.from_loss), sizes(b.from_future)
    finite = [size for size in (*losses, *futures) if math.isfinite(size)]
    largest = max(finite, default=0.0)
    return {
        "begin": begin,
        **_laws(SUBSTEPS, EQUATIONS_WITHOUT_FUTURE, activation),
        "from_loss": [arrow(size, largest) for size in losses],
        "from_future": [arrow(size, largest) for size in futures],
        "scale": scale_words(largest, all_finite=len(finite) == 2 * len(losses)),
        "borders": list(borders),
        "left": [],
        "factors": [],
    }


def _laws(substeps: Sequence[tuple[str, str]], alone: Mapping[int, str], activation: str) -> dict[str, Any]:
    """The names and equations of the sub-steps, and those of a step without a gradient from the future."""
    slope = SLOPES[activation]
    return {
        "substeps": [[_(name), _(law).replace("SLOPE", slope)] for name, law in substeps],
        "alone": {place: _(law).replace("SLOPE", slope) for place, law in alone.items()},
    }


def _arrows_of_last(last: LastLoss) -> dict[str, Any]:
    """Arrows in proportion to the gradient of the last loss at each state, what is left of it, and the factors of each step."""
    *earlier, own = last.sizes.tolist()
    nothing, largest = arrow(0.0, own), max(filter(math.isfinite, last.sizes.tolist()), default=0.0)
    shares = [size / own if own > 0 else math.nan for size in last.sizes.tolist()]
    factors = zip(last.by_slope.tolist(), last.by_weights.tolist(), strict=True)
    return {
        "from_loss": [*[nothing] * len(earlier), _in_proportion(own, largest)],
        "from_future": [*[_in_proportion(size, largest) for size in earlier], nothing],
        "scale": _("arrow width: in proportion to what is left of the gradient of the last loss")
        if largest > 0 and math.isfinite(own)
        else scale_words(largest, all_finite=math.isfinite(sum(last.sizes))),
        "left": [f"{in_hundred(share)} %" if math.isfinite(share) else "" for share in shares],
        "factors": [(f"φ' {number(slope)}", f"W {number(weights)}") for slope, weights in factors],
    }


def _in_proportion(size: float, largest: float) -> Arrow:
    if size == 0 or not math.isfinite(size):
        return THINNEST, -1, number(size)
    share, (low, high) = size / largest, SHADES
    return round(WHOLE * share, 2), round(low + (high - low) * share), number(size)


def sizes(vectors: Float[np.ndarray, "T H"]) -> list[float]:
    """The Euclidean norm of each row."""
    with np.errstate(all="ignore"):
        return np.linalg.norm(vectors, axis=-1).tolist()


def arrow(size: float, largest: float) -> Arrow:
    if size == 0:
        return THINNEST, -1, "0"
    fraction = log_fraction(size, largest, DECADES)
    width, shade = (low + (high - low) * fraction for low, high in ((THINNEST, WIDEST), SHADES))
    return round(width, 2), round(shade), number(size)


def scale_words(largest: float, *, all_finite: bool) -> str:
    """The scale in words: the size of the widest arrow, and the size from which on arrows are thinnest."""
    if not all_finite:
        return _("exploded: some gradients are no longer finite numbers")
    if largest <= 0:
        return _("every gradient here is exactly zero")
    widest, thinnest = number(largest, 2), number(largest / 10**DECADES, 2)
    return _("arrow width: {widest} the widest, ≤ {thinnest} the thinnest, log scale", widest=widest, thinnest=thinnest)


def backward_numbers(b: BackwardPass, u: Unrolled) -> BackwardNumbers:
    """Every step of the backward pass in numbers: both branches of dh, their sum, da, and the terms added to dW.

    Strips have the units of the drawing, relative to their largest value at this step; sizes are norms over all units.
    ``so_far`` is the gradient of W_hh between these units after each step: (T, rows, columns) signed bytes, in hundredths of
    the largest value in the whole pass.
    """
    units, T = top_variance_units(u.h[1:], STRIP_UNITS), len(u.tokens)
    vectors = (b.from_loss, b.from_future, b.dh, b.da)
    strips, norms = np.stack(vectors, axis=1), list(map(sizes, vectors))
    so_far = b.recurrent_so_far(units)
    bytes_of_map = np.array(hundredths(so_far, largest_of(so_far)), np.int8).tobytes()
    return {
        "units": len(units),
        "gradients": GRADIENTS,
        "slope": SLOPES[b.trace.activation],
        "steps": [
            {
                "strips": hundredths(strips[t][:, units], largest_of(strips[t][:, units])),
                "slope": hundredths(b.slope[t, units], 1.0),
                "sizes": [number(of[t]) for of in norms],
                "mean_slope": number(float(b.slope[t].mean()), 2),
                "pieces": [number(float(piece)) for piece in b.piece_sizes[t]],
                "whole": number(float(b.recurrent_sizes[t])),
            }
            for t in range(T)
        ],
        "so_far": base64.b64encode(bytes_of_map).decode(),
        "cut": [t for t in range(T - 1) if (t + 1) % b.gradients.truncation == 0],
    }
