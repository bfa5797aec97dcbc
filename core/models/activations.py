"""The activations phi and their derivatives phi', as functions of arrays."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np


class Activation(NamedTuple):
    """``value(a, out=None)``: phi of the pre-activation. ``slope(h, out)``: phi' as a function of the state. Both return ``out``
    where it is given."""

    value: Callable[..., np.ndarray]
    slope: Callable[[np.ndarray, np.ndarray], np.ndarray]


def _sigmoid(a: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return np.add(np.tanh(a * 0.5) * 0.5, 0.5, out=out)  # unlike 1 / (1 + exp(-a)), never overflows


ACTIVATIONS = {
    "tanh": Activation(np.tanh, lambda h, out: np.subtract(1, np.multiply(h, h, out), out)),
    "relu": Activation(
        lambda a, out=None: np.maximum(a, 0, out=out),
        lambda h, out: np.greater(h, 0, out, casting="unsafe"),  # phi'(0) = 0
    ),
    "sigmoid": Activation(_sigmoid, lambda h, out: np.multiply(np.subtract(1, h, out), h, out)),
}


def activation_named(name: str) -> Activation:
    """The activation of that name; ``ValueError`` if there is none."""
    if name not in ACTIVATIONS:
        raise ValueError(f"The activation is one of {', '.join(ACTIVATIONS)}; {name!r} is not.")
    return ACTIVATIONS[name]
