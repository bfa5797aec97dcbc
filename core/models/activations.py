"""The activations phi and their derivatives phi', each written into an array that is given."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Activation:
    """phi, written into its second argument, and phi' as a function of the state, written into its second argument."""

    value: Callable[[np.ndarray, np.ndarray], object]
    slope: Callable[[np.ndarray, np.ndarray], object]


def _tanh_slope(h: np.ndarray, out: np.ndarray) -> None:
    np.multiply(h, h, out)
    np.subtract(1, out, out)


def _relu(a: np.ndarray, out: np.ndarray) -> None:
    np.maximum(a, 0, out=out)


def _relu_slope(h: np.ndarray, out: np.ndarray) -> None:
    np.greater(h, 0, out, casting="unsafe")


def _sigmoid(a: np.ndarray, out: np.ndarray) -> None:
    np.multiply(a, 0.5, out)
    np.tanh(out, out)  # unlike 1 / (1 + exp(-a)), never overflows
    np.multiply(out, 0.5, out)
    np.add(out, 0.5, out)


def _sigmoid_slope(h: np.ndarray, out: np.ndarray) -> None:
    np.subtract(1, h, out)
    np.multiply(out, h, out)


ACTIVATIONS = {
    "tanh": Activation(np.tanh, _tanh_slope),
    "relu": Activation(_relu, _relu_slope),  # phi'(0) = 0
    "sigmoid": Activation(_sigmoid, _sigmoid_slope),
}


def activation_named(name: str) -> Activation:
    """The activation of that name; ``ValueError`` if there is none."""
    if name not in ACTIVATIONS:
        raise ValueError(f"The activation is one of {', '.join(ACTIVATIONS)}; {name!r} is not.")
    return ACTIVATIONS[name]
