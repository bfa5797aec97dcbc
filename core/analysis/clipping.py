"""What clipping does to a gradient: its length, and its direction.

Clipping by norm shortens the whole vector; clipping by value cuts every number on its own, which turns the vector. Source:
Pascanu, Mikolov and Bengio 2013, section 3.2 (norm); Mikolov 2012, section 3.3 (value); D2L 8.5.5.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from jaxtyping import Float


class Clipped(NamedTuple):
    """A gradient's length before and after, and by how many degrees it was turned (nan where a length is zero)."""

    before: float
    after: float
    angle: float


def clip_by_value(gradient: Float[np.ndarray, " P"], limit: float) -> Float[np.ndarray, " P"]:
    """Every number brought into [-limit, limit]; a new vector."""
    return np.clip(gradient, -limit, limit)


def limit_for_norm(gradient: Float[np.ndarray, " P"], norm: float) -> float:
    """The limit at which :func:`clip_by_value` leaves a vector of this length; inf where it is no longer than that anyway.

    With the k smallest numbers left alone and the other P - k cut to the limit c: norm^2 = sum of the k squares + (P - k) c^2.
    """
    sizes = np.sort(np.abs(gradient.astype(np.float64)))
    below = np.concatenate([[0.0], np.cumsum(sizes**2)])
    if not norm**2 < below[-1]:
        return math.inf
    cut = np.arange(len(sizes), 0, -1)
    limits = np.sqrt(np.maximum(norm**2 - below[:-1], 0.0) / cut)
    return float(limits[int(np.argmax(limits <= sizes))])


def compare(before: Float[np.ndarray, " P"], after: Float[np.ndarray, " P"]) -> Clipped:
    """Lengths and angle, in float64."""
    a, b = before.astype(np.float64), after.astype(np.float64)
    return Clipped(float(np.linalg.norm(a)), float(np.linalg.norm(b)), angle(a, b))


def both_clippings(
    gradient: Float[np.ndarray, " P"], norm: float, clip_by_norm: Callable[[Float[np.ndarray, " P"], float], object]
) -> tuple[Clipped, Clipped]:
    """What clipping to a length by norm, with the function that does it in place, and by value make of a gradient."""
    by_norm = gradient.copy()
    clip_by_norm(by_norm, norm)
    return compare(gradient, by_norm), compare(gradient, clip_by_value(gradient, limit_for_norm(gradient, norm)))


def angle(a: Float[np.ndarray, " P"], b: Float[np.ndarray, " P"]) -> float:
    """Degrees between two vectors, from 0 to 180; nan where one is zero or not finite.

    From the lengths of sum and difference of the unit vectors, which keeps small angles exact where the cosine would not (Kahan).
    """
    with np.errstate(all="ignore"):
        a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
        return math.degrees(2 * math.atan2(float(np.linalg.norm(a - b)), float(np.linalg.norm(a + b))))
