"""The numbers and words of the drawing of the unrolled network, which ``components/network/layout.js`` places."""

import math
from collections.abc import Sequence
from typing import Any, TypedDict

import numpy as np
from jaxtyping import Float

from core.analysis.unrolled import Unrolled, most_probable, top_variance_units
from core.config.language import gettext as _, lazy_gettext
from core.text.tokenizer import Tokenizer
from pages.content.notation import FIRST_SOURCE, in_notation
from pages.figures.parts.numbers import decimals, number, probability, share
from pages.figures.parts.symbols import visible

STRIP_UNITS = 16  # units of the state in a strip
FASTEST, SLOWEST = 140, 320  # ms per step at T = 40 and at T = 6
SLOW_PACE, MAX_SLOW_TOKENS = 800, 8  # ms per step in a scene, for a text of at most 8 tokens
SUBSTEPS = (
    (lazy_gettext("embed"), lazy_gettext("x_{t} W_{xh}: one-hot, so it is the row of W_{xh} for “{x}”")),
    (
        lazy_gettext("pre-activation"),
        lazy_gettext("a_{t} = x_{t} W_{xh} + h_{t-1} W_{hh} + b_{h}   (concatenate, then fully connected)"),
    ),
    ("tanh", lazy_gettext("h_{t} = tanh(a_{t}),  copied twice: up to o_{t}, and on to the next step")),
    (lazy_gettext("logits"), "o_{t} = h_{t} W_{hq} + b_{q}"),
    ("softmax", "p_{t} = softmax(o_{t})"),
    (lazy_gettext("loss"), "L_{t} = −ln p_{t}(“{y}”)"),
)
WEIGHTS = {"xh": "W_{xh}", "hh": "W_{hh}", "hq": "W_{hq}"}  # labels by arrow
EMBEDDED = lazy_gettext("x_{t} = the row of W_{emb} for “{x}”")


Loss = tuple[float | None, list[str]]  # nats, None if not finite; as text with two, one and no decimals
Prediction = tuple[str, str, float, bool]  # symbol, probability as text, length of its bar (0 to 1), whether it is the target


class Column(TypedDict):
    """A time step; ``labels`` are its input and its target, ``prediction`` the most probable tokens, the target among them."""

    labels: list[str]
    state: list[int]
    prediction: list[Prediction]
    loss: Loss


class NetworkDrawing(TypedDict):
    """The forward pass: states in hundredths of a scale, words as plain text."""

    in_scene: bool
    units: list[int]
    names: dict[str, str]
    means: list[Loss]
    pace: int  # ms per step
    holds: list[int]  # the steps, from 0, at which the animation pauses
    columns: list[Column]


def network_drawing(
    u: Unrolled,
    tokenizer: Tokenizer,
    units: Sequence[int] | None = None,
    notation: str = FIRST_SOURCE,
    *,
    in_scene: bool = False,
) -> NetworkDrawing:
    """The forward pass ``u`` as a drawing. Strips show ``units``, by default those of largest variance. In a scene a
    short text is played slowly and pauses at every input that occurs more than once; ``layout.js`` makes its columns narrow."""
    T = len(u.tokens)
    inputs, targets = tokenizer.symbols(u.tokens), tokenizer.symbols(u.targets)
    pace = min(max(FASTEST + (40 - T) / 34 * (SLOWEST - FASTEST), FASTEST), SLOWEST)
    units = top_variance_units(u.h[1:], STRIP_UNITS).tolist() if units is None else units
    states, slow = hundredths(u.h[1:, units], limit_of(u)), in_scene and T <= MAX_SLOW_TOKENS
    return {
        "in_scene": in_scene,
        "units": units,
        "names": in_notation(WEIGHTS, notation),
        "means": [_loss(float(mean)) for mean in u.mean_losses],
        "pace": SLOW_PACE if slow else round(pace),
        "holds": [t for t in range(T) if slow and inputs.count(inputs[t]) > 1],
        "columns": [
            {
                "labels": [visible(inputs[t]), visible(targets[t])],
                "state": states[t],
                "prediction": _prediction(u.p[t], int(u.targets[t]), tokenizer),
                "loss": _loss(float(u.losses[t])),
            }
            for t in range(T)
        ],
    }


def _loss(nats: float) -> Loss:
    """A loss; from 1000 nats on, its last text is abbreviated."""
    texts = [decimals(nats, digits) for digits in (2, 1, 0)]
    if 1000 <= nats < math.inf:
        texts[2] = f"{nats / 1000:.0f}k" if nats < 1e6 else f">{number(10.0 ** math.floor(math.log10(nats)), 1)}"
    return (round(nats, 3) if math.isfinite(nats) else None), texts


def _prediction(p: Float[np.ndarray, " V"], target: int, tokenizer: Tokenizer) -> list[Prediction]:
    """The three most probable tokens, the third replaced by the target if that is not among them."""
    best = most_probable(p, 3)
    shown = best if target in best else [*best[:2], target]
    return [
        (visible(symbol), probability(float(p[token])), share(float(p[token])), token == target)
        for symbol, token in zip(tokenizer.symbols(shown), shown, strict=True)
    ]


def limit_of(u: Unrolled) -> float:
    """The absolute state that has the full colour: 1, or the largest state for ReLU, which has no upper bound."""
    return largest_of(u.h) if u.activation == "relu" else 1.0


def largest_of(values: Float[np.ndarray, "..."]) -> float:
    """The largest finite absolute value; 1 if that is zero or no value is finite."""
    finite = np.abs(values[np.isfinite(values)])
    return float(finite.max(initial=0.0)) or 1.0


def hundredths(values: Float[np.ndarray, "..."], limit: float) -> list[Any]:
    """Values as whole hundredths of ``limit``, from -100 to 100; 0 for NaN."""
    with np.errstate(all="ignore"):
        return np.rint(100 * np.clip(np.nan_to_num(values / limit, nan=0.0), -1, 1)).astype(int).tolist()


def forward_substeps(activation: str, *, embedded: bool) -> list[list[str]]:
    """Name and equation of each sub-step of the forward pass, in order.

    ``_{...}`` is an index, t in it the step; ``{x}`` stands for the token and ``{y}`` for its target.
    """
    steps = [[_(name).replace("tanh", activation), _(law).replace("tanh", activation)] for name, law in SUBSTEPS]
    if embedded:
        steps[0][1] = _(EMBEDDED)
    return steps
