"""How a small change of one state changes a later one: Jacobians of the step, their products, and saturation.

States are rows here, h_t = phi(x_t W_xh + h_(t-1) W_hh + b_h), so a change d of h_(t-1) changes h_t by d J_t with

    J_t = d h_t / d h_(t-1) = W_hh * phi'(a_t)             (H, H), each column times the slope of its unit
    d h_T / d h_(T-s) = J_(T-s+1) ... J_T                  the change is multiplied from the left, oldest step first

and a gradient, which is a row too, is multiplied by the transposes. So the gradients of all units of h_T with respect to
h_(T-s), one row per unit, are the transpose of that product, and have its singular values. Source: Pascanu, Mikolov and Bengio
2013, section 2; D2L 8.7.1.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from core.models.initialisation import spectral_radius
from core.models.rnn import Trace

STEEPEST = {"tanh": 1.0, "relu": 1.0, "sigmoid": 0.25}  # the largest phi'
SATURATED_BELOW = 0.1  # of the steepest slope: a saturated unit passes on less than a tenth of the largest possible gradient


def saturated(slope: Float[np.ndarray, "... H"], activation: str) -> Bool[np.ndarray, "... H"]:
    """Whether each unit is saturated: its slope is below :data:`SATURATED_BELOW` of the steepest (relu: the unit is off)."""
    return ~(np.abs(slope) >= SATURATED_BELOW * STEEPEST[activation])


def share_saturated(trace: Trace) -> Float[np.ndarray, " T"]:
    """The share of :func:`saturated` units over all rows at every step, from 0 to 1."""
    return saturated(trace.slope[1:], trace.activation).mean(axis=(1, 2))


def singular_values(jacobian: Float[np.ndarray, "H H"]) -> Float[np.ndarray, " H"]:
    """The singular values, largest first, float64; all nan where the matrix has numbers that are not finite."""
    if not np.isfinite(jacobian).all():
        return np.full(len(jacobian), math.nan)
    return np.linalg.svd(jacobian.astype(np.float64), compute_uv=False)


def growing_products(
    W_hh: Float[np.ndarray, "H H"], slope: Float[np.ndarray, "T H"], spans: Sequence[int]
) -> Iterator[Float[np.ndarray, " H"]]:
    """For each of ``spans`` (increasing, up to T): log10 of the singular values of d h_T / d h_(T-span), largest first.

    An iterator, because each item costs a singular value decomposition: a caller can release the compute lock in between.
    A product of many Jacobians leaves the range of float64, so it is stored as a power of two and a matrix whose largest number
    is about 1, which adds no rounding. Its large singular values are exact up to rounding; values below H times the machine
    epsilon of the largest are rounding errors only and become -inf ("too small to tell"), as do zeros. All nan where numbers
    are not finite.
    """
    H, exponent, done = len(W_hh), 0, 0
    dh = np.eye(H)  # row i: the gradient of unit i of h_T with respect to h_(T-done)
    W_hh_T, slopes = np.ascontiguousarray(W_hh.T, np.float64), slope.astype(np.float64)
    for span in spans:
        if not done < span <= len(slopes):
            raise ValueError(f"Spans increase from 1 to {len(slopes)}, not {list(spans)}.")
        for at in range(done + 1, span + 1):
            with np.errstate(all="ignore"):
                dh, shift = _about_one((dh * slopes[-at]) @ W_hh_T)
            exponent += shift
        done = span
        yield _log10_above_rounding(singular_values(dh), H) + exponent * math.log10(2)


class Spectrum(NamedTuple):
    """Of one sequence: log10 of the singular values over each of ``spans`` steps up to the last one, and their causes: the share
    of saturated units at every step, the spectral ``radius`` and the largest singular value (``stretch``) of W_hh."""

    spans: Sequence[int]
    logs: Sequence[Float[np.ndarray, " H"]]
    saturated: Float[np.ndarray, " T"]
    radius: float
    stretch: float


def spectrum_of(trace: Trace, spans: Sequence[int], logs: Sequence[Float[np.ndarray, " H"]]) -> Spectrum:
    """The spectrum of a pass over one sequence; ``logs`` are the values of :func:`growing_products` for ``spans``."""
    W_hh = trace.params.W_hh
    return Spectrum(spans, logs, share_saturated(trace), spectral_radius(W_hh), float(singular_values(W_hh)[0]))


def _about_one(matrix: Float[np.ndarray, "H H"]) -> tuple[Float[np.ndarray, "H H"], int]:
    """The matrix divided by a power of two so that its largest number is near 1, and the exponent."""
    largest = float(np.abs(matrix).max())
    if largest == 0 or not math.isfinite(largest):
        return matrix, 0
    exponent = math.frexp(largest)[1]
    return np.ldexp(matrix, -exponent), exponent


def _log10_above_rounding(values: Float[np.ndarray, " H"], H: int) -> Float[np.ndarray, " H"]:
    """log10 of the singular values that are larger than rounding errors; -inf for the others."""
    large = np.where(values > H * np.finfo(np.float64).eps * values[0], values, 0.0)
    with np.errstate(divide="ignore"):
        return np.where(np.isnan(values), math.nan, np.log10(large))
