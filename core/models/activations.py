"""The activations phi and their derivatives phi', each written into an array that is given, and returned."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

Phi = Callable[[np.ndarray, np.ndarray], np.ndarray]


class Activation(NamedTuple):
    """phi of the pre-activation, and phi' as a function of the state; both write into their second argument."""

    value: Phi
    slope: Phi


def _sigmoid(a: np.ndarray, out: np.ndarray) -> np.ndarray:
    np.multiply(a, 0.5, out)
    np.tanh(out, out)  # unlike 1 / (1 + exp(-a)), never overflows
    np.multiply(out, 0.5, out)
    return np.add(out, 0.5, out)


ACTIVATIONS = {
    "tanh": Activation(np.tanh, lambda h, out: np.subtract(1, np.multiply(h, h, out), out)),
    "relu": Activation(
        lambda a, out: np.maximum(a, 0, out=out),
        lambda h, out: np.greater(h, 0, out, casting="unsafe"),  # phi'(0) = 0
    ),
    "sigmoid": Activation(_sigmoid, lambda h, out: np.multiply(np.subtract(1, h, out), h, out)),
}


def activation_named(name: str) -> Activation:
    """The activation of that name; ``ValueError`` if there is none."""
    if name not in ACTIVATIONS:
        raise ValueError(f"The activation is one of {', '.join(ACTIVATIONS)}; {name!r} is not.")
    return ACTIVATIONS[name]
