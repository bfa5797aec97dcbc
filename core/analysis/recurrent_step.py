"""What a hidden state adds, in numbers small enough to be read.

One step of the network with every matrix written out: the sum of two products beside one product of what is put together
(D2L 8.4.2, equation 8.4.5), and the same step backward (Deep Learning from Scratch 2, 5.3.1).

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


@dataclass(frozen=True, eq=False)
class TwoWays:
    """X W_xh + H W_hh, and [X, H] [W_xh; W_hh]; ``addends[n, j, k]`` is the k-th of the K = D + H addends of cell (n, j)."""

    two: Float[np.ndarray, "N H"]
    one: Float[np.ndarray, "N H"]
    addends: Float[np.ndarray, "N H K"]

    @property
    def difference(self) -> float:
        """The largest of all cells, in absolute value."""
        return float(np.abs(self.two - self.one).max())


def two_ways(m: StepMatrices) -> TwoWays:
    """The sum of two products, as the network computes its pre-activation, and the one product that equals it (D2L 8.4.2)."""
    together, stacked = np.concatenate([m.X, m.H], axis=1), np.concatenate([m.W_xh, m.W_hh])
    return TwoWays(network_of(m)[1].a[0], together @ stacked, together[:, None, :] * stacked.T[None])
