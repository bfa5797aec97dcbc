"""Gradient check: dL/dw of one weight by backpropagation, against central differences of the loss.

For a weight w the central difference (L(w + eps) - L(w - eps)) / (2 eps) differs from dL/dw by about eps^2 |L'''| / 6
(truncation error) where eps is large, and by about (rounding of L) / eps where it is small; in between, about ten digits
are correct in float64. Source: Deep Learning from Scratch, 4.3.1 and 5.7.4 (gradient check); relative difference: Karpathy,
CS231n notes.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Integer

from core.models.loss import cross_entropy
from core.models.params import Params, Tokens
from core.models.rnn import backward, forward

EPSILONS = tuple(10.0**-e for e in range(1, 11))


@dataclass(frozen=True, eq=False)
class GradientCheck:
    """dL/dw of one weight, L the mean loss in nats per token: by backpropagation and by central differences.

    ``relative`` is |numeric - analytic| / max(|numeric|, |analytic|), from 0 to 2; 0 where both are exactly zero.
    """

    name: str
    index: tuple[int, ...]
    weight: float
    analytic: float
    epsilons: tuple[float, ...]
    numeric: Float[np.ndarray, " E"]
    relative: Float[np.ndarray, " E"]

    @property
    def best(self) -> int:
        """The index of the eps with the smallest relative difference; 0 if all are nan."""
        return int(np.argmin(np.nan_to_num(self.relative, nan=np.inf)))


class BlockMaxima(NamedTuple):
    """A matrix in blocks: the number of largest absolute value in each block, and its row and column in the matrix."""

    values: Float[np.ndarray, "R C"]
    rows: Integer[np.ndarray, "R C"]
    columns: Integer[np.ndarray, "R C"]
    height: int  # rows of a block; the last may have fewer
    width: int


def block_maxima(gradient: Float[np.ndarray, "rows columns"], most: int) -> BlockMaxima:
    """Divide ``gradient`` into at most ``most`` blocks in each direction. NaN counts as the largest number."""
    height, width = (math.ceil(n / most) for n in gradient.shape)
    R, C = math.ceil(gradient.shape[0] / height), math.ceil(gradient.shape[1] / width)
    sizes = np.full((R * height, C * width), -1.0)
    sizes[: gradient.shape[0], : gradient.shape[1]] = np.nan_to_num(np.abs(gradient), nan=np.inf)
    within = sizes.reshape(R, height, C, width).swapaxes(1, 2).reshape(R, C, -1).argmax(axis=-1)
    rows = np.arange(R)[:, None] * height + within // width
    columns = np.arange(C) * width + within % width
    return BlockMaxima(gradient[rows, columns], rows, columns, height, width)


def check_weight(
    params: Params,
    tokens: Tokens,
    targets: Tokens,
    name: str,
    index: tuple[int, ...],
    *,
    activation: str = "tanh",
    epsilons: Sequence[float] = EPSILONS,
) -> GradientCheck:
    """Compare the derivative for ``params.<name>[index]`` with central differences, in float64 and on a copy.

    The window (T steps, N sequences) is read from a state of zeros. ``ValueError`` for a weight that this network does not have.
    """
    wide = params.copy(np.float64)
    matrix = wide.named().get(name)
    if matrix is None or len(index) != matrix.ndim or not all(0 <= i < n for i, n in zip(index, matrix.shape, strict=True)):
        raise ValueError(f"This network has no weight {name}{list(index)}.")
    gradients = backward(forward(wide, tokens, activation=activation), targets).dparams
    analytic, weight = float(gradients.named()[name][index]), float(matrix[index])

    def loss(value: float) -> float:
        matrix[index] = value
        losses = cross_entropy(forward(wide, tokens, activation=activation).logits, targets)
        return float(losses.sum()) / losses.size

    with np.errstate(all="ignore"):
        numeric = np.array([_difference(loss, weight, eps) for eps in epsilons])
        relative = np.abs(numeric - analytic) / np.maximum(np.abs(numeric), abs(analytic))
    relative[(numeric == 0) & (analytic == 0)] = 0.0
    return GradientCheck(name, index, weight, analytic, tuple(epsilons), numeric, relative)


def _difference(loss, weight: float, eps: float) -> float:
    """The central difference, divided by the actual step, as weight + eps is rounded; nan if that is zero."""
    up, down = weight + eps, weight - eps
    return (loss(up) - loss(down)) / (up - down) if up != down else np.nan
