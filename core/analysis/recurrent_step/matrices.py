"""One step of the network with every matrix written out, in numbers small enough to be read.

Everything that the network computes comes from ``core.models.rnn``: the rows of X are the embeddings of N symbols, so that
the network which reads these symbols reads X.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.models.params import Params
from core.models.rnn import Trace, forward

WIDTH_OF_W_HH = 0.7  # standard deviation of its numbers: large enough to be seen, small enough not to saturate every unit


@dataclass(frozen=True, eq=False)
class StepMatrices:
    """All that goes into one step: N rows of D inputs, N states of H units, and the weights."""

    X: Float[np.ndarray, "N D"]
    W_xh: Float[np.ndarray, "D H"]
    H: Float[np.ndarray, "N H"]
    W_hh: Float[np.ndarray, "H H"]


def draw_matrices(N: int, D: int, H: int, rng: np.random.Generator, *, decimals: int = 1) -> StepMatrices:
    """Random matrices rounded to ``decimals``, so that a sum can be checked by hand. States lie in (-1, 1), as tanh's do."""
    X, W_xh, h, W_hh = (rng.standard_normal(shape) for shape in ((N, D), (D, H), (N, H), (H, H)))
    return StepMatrices(*(np.round(x, decimals) for x in (X, W_xh, 0.95 * np.tanh(h), WIDTH_OF_W_HH * W_hh)))


def network_of(m: StepMatrices) -> tuple[Params, Trace]:
    """The network that reads row n of X when it reads symbol n, and its one step from the states H. Biases are zero."""
    (N, D), H = m.X.shape, m.W_hh.shape[0]
    params = Params.zeros(N, H, D, np.float64)
    params.W_emb[...], params.W_xh[...], params.W_hh[...] = m.X, m.W_xh, m.W_hh
    return params, forward(params, np.arange(N)[None], m.H)
