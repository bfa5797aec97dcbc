"""The distribution of the weights of a network, at its initialisation and in training."""

import math
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from core.models.params import Params

BINS = 41  # an odd number, so that zero is in the middle of a bin
ROOM = 1.02  # factor on the largest weight, so that it is not at the edge
LADDER = (1.0, 2.0, 5.0, 10.0)


class Spread(NamedTuple):
    """Histograms of one matrix at two moments: the number of weights between neighbouring ``edges``, and standard deviations.

    ``edges`` are (bins + 1,), the same for both moments and symmetric about zero; ``start`` and ``now`` are (bins,).
    """

    name: str
    shape: tuple[int, ...]
    edges: Float[np.ndarray, " B+1"]
    start: Int[np.ndarray, " B"]
    now: Int[np.ndarray, " B"]
    start_std: float
    now_std: float


def spreads(start: Params, now: Params) -> list[Spread]:
    """The histograms of every weight matrix at two moments. Weights that are not finite are left out."""
    return [_spread(name, start.named()[name], now.named()[name]) for name in start.named() if name.startswith("W_")]


def _spread(name: str, start: np.ndarray, now: np.ndarray) -> Spread:
    both = [weights[np.isfinite(weights)].astype(np.float64) for weights in (start, now)]
    limit = _round_above(ROOM * max(float(np.abs(weights).max(initial=0.0)) for weights in both))
    edges = np.linspace(-limit, limit, BINS + 1)
    counts = [np.histogram(weights, edges)[0] for weights in both]
    return Spread(name, start.shape, edges, *counts, *[float(weights.std()) if weights.size else math.nan for weights in both])


def _round_above(value: float) -> float:
    """``value`` rounded up to 1, 2 or 5 times a power of ten, so that the axis changes seldom while the weights grow."""
    if value == 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in LADDER if step * power >= value)
