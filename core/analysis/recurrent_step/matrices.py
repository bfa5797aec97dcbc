"""One step of the network with every matrix written out, in numbers small enough to be read.

Everything that the network computes comes from ``core.models.rnn``: the rows of X are the embeddings of N symbols, so that
the network which reads these symbols reads X.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.models.activations import activation_named
from core.models.params import Params
from core.models.rnn import Trace, forward

WIDTH_OF_W_HH = 0.7  # standard deviation of its numbers: large enough to be seen, small enough not to saturate every unit


@dataclass(frozen=True, eq=False)
class StepMatrices:
    """All that goes into one step: N rows of D inputs, N states of H units, the weights and the bias."""

    X: Float[np.ndarray, "N D"]
    W_xh: Float[np.ndarray, "D H"]
    H: Float[np.ndarray, "N H"]
    W_hh: Float[np.ndarray, "H H"]
    b: Float[np.ndarray, "1 H"]


def draw_matrices(
    N: int, D: int, H: int, rng: np.random.Generator, *, decimals: int = 1, activation: str = "tanh"
) -> StepMatrices:
    """Random matrices rounded to ``decimals``, so that a sum can be checked by hand. States are such as the activation gives."""
    X, W_xh, h, W_hh, b = (rng.standard_normal(shape) for shape in ((N, D), (D, H), (N, H), (H, H), (1, H)))
    states = 0.95 * activation_named(activation).value(h)
    return StepMatrices(*(np.round(x, decimals) for x in (X, W_xh, states, WIDTH_OF_W_HH * W_hh, b)))


def network_of(m: StepMatrices, others: int = 0) -> Params:
    """The network that reads row n of X when it reads symbol n; its output layer, for N + ``others`` symbols, is zero."""
    (N, D), H = m.X.shape, m.W_hh.shape[0]
    params = Params.zeros(N + others, H, D, dtype=np.float64)
    params.W_emb[:N], params.W_xh[...], params.W_hh[...], params.b_h[...] = m.X, m.W_xh, m.W_hh, m.b[0]
    return params


def one_step(m: StepMatrices, params: Params, activation: str = "tanh") -> Trace:
    """All N symbols read at once, a row of the batch for each, from the states H."""
    return forward(params, np.arange(len(m.X))[None], m.H, activation=activation)
