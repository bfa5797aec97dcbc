"""One backward pass, step by step: the parts of the gradient at every state, and each step's part of the weight gradients.

The derivatives come from ``core.models.rnn.backward`` in float64; this module separates their parts and measures their norms.
Source: D2L 8.7.16 to 8.7.18; Deep Learning from Scratch 2, 5.3.1 (the two branches of dh).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Integer

from core.analysis.gradient_flow import GradientFlow, from_future, from_loss, gradient_flow
from core.models.params import Ids, Params
from core.models.rnn import Gradients, Trace, backward, forward


class LastLoss(NamedTuple):
    """The gradient of the last loss alone on its way back. ``sizes[t-1]`` = |d L_T / d h_t|; each step back multiplies it by two
    factors, that of phi' and that of W_hh: ``sizes[t-1] = sizes[t] * by_slope[t-1] * by_weights[t-1]``."""

    sizes: Float[np.ndarray, " T"]
    by_slope: Float[np.ndarray, " steps"]  # T - 1 of them, like by_weights
    by_weights: Float[np.ndarray, " steps"]


@dataclass(frozen=True, eq=False)
class BackwardPass:
    """A backward pass over T tokens from a state of zeros, float64. Row t-1 of an array belongs to step t.

    Derivatives are of the sum of the T losses in nats; training uses the mean, whose derivatives are 1/T of these.
    ``dh = from_loss + from_future`` and ``da = dh * slope``, with slope = phi'(a).
    """

    gradients: Gradients

    @property
    def trace(self) -> Trace:
        return self.gradients.trace

    @property
    def h(self) -> Float[np.ndarray, "states H"]:
        """``h[t]`` is the state after t tokens."""
        return self.trace.h[:, 0]

    @cached_property
    def from_loss(self) -> Float[np.ndarray, "T H"]:
        return self._of_sum(from_loss(self.gradients)[1:])

    @cached_property
    def from_future(self) -> Float[np.ndarray, "T H"]:
        return self._of_sum(from_future(self.gradients)[1:])

    @cached_property
    def dlogits(self) -> Float[np.ndarray, "T V"]:
        return self._of_sum(self.gradients.dlogits)

    @cached_property
    def dh(self) -> Float[np.ndarray, "T H"]:
        return self._of_sum(self.gradients.dh[1:])

    @cached_property
    def da(self) -> Float[np.ndarray, "T H"]:
        return self._of_sum(self.gradients.da[1:])

    @cached_property
    def slope(self) -> Float[np.ndarray, "T H"]:
        return self.trace.slope[1:, 0]

    @cached_property
    def piece_sizes(self) -> Float[np.ndarray, "T 3"]:
        """Norms of each step's part of the gradients of W_xh, W_hh and b_h: of x_t^T da_t, h_(t-1)^T da_t and da_t."""
        params, tokens = self.trace.params, self.trace.tokens[:, 0]
        inputs = np.ones(len(tokens)) if params.W_emb is None else np.linalg.norm(params.W_emb[tokens], axis=1)
        with np.errstate(all="ignore"):
            sizes = np.linalg.norm(self.da, axis=1)
            return np.stack([inputs * sizes, np.linalg.norm(self.h[:-1], axis=1) * sizes, sizes], axis=1)

    def recurrent_so_far(self, units: Integer[np.ndarray, " units"]) -> Float[np.ndarray, "T units units"]:
        """The gradient of W_hh between ``units``, accumulated from the last step back to step t."""
        with np.errstate(all="ignore"):
            pieces = self.h[:-1, units, None] * self.da[:, None, units]
            return np.cumsum(pieces[::-1], axis=0)[::-1]

    @cached_property
    def recurrent_sizes(self) -> Float[np.ndarray, " T"]:
        """The norm of the whole gradient of W_hh, accumulated from the last step back to step t.

        From inner products, without a matrix per step: |sum_t h_t^T a_t|^2 = sum over pairs (s, t) of (h_s . h_t)(a_s . a_t).
        """
        before = self.h[:-1]
        with np.errstate(all="ignore"):
            pairs = (before @ before.T) * (self.da @ self.da.T)
            squares = pairs[::-1, ::-1].cumsum(axis=0).cumsum(axis=1).diagonal()[::-1]
            return np.sqrt(np.maximum(squares, 0))

    def flow(self, *, vectors: bool = False) -> GradientFlow:
        """The gradient of each single loss with respect to each state; never truncated."""
        return gradient_flow(self.gradients, vectors=vectors)

    def last_loss(self) -> LastLoss:
        """The gradient of the last loss at every state, and both factors of each step back; nan where there is nothing left."""
        dh, W_hh = np.empty_like(self.slope), self.trace.params.W_hh
        dh[-1] = self.from_loss[-1]
        with np.errstate(all="ignore"):
            for k in reversed(range(len(dh) - 1)):
                dh[k] = (dh[k + 1] * self.slope[k + 1]) @ W_hh.T
            sizes, through = (np.linalg.norm(rows, axis=1) for rows in (dh, dh * self.slope))
            return LastLoss(sizes, through[1:] / sizes[1:], sizes[:-1] / through[1:])

    def _of_sum(self, of_mean: Float[np.ndarray, "T 1 W"]) -> Float[np.ndarray, "T W"]:
        with np.errstate(all="ignore"):
            return of_mean[:, 0] * len(of_mean)


def backward_pass(
    params: Params, tokens: Ids, targets: Ids, *, activation: str = "tanh", truncation: int | None = None
) -> BackwardPass:
    """Run ``forward`` and ``backward`` over ``tokens`` in float64. Raises ``ValueError`` where they do."""
    trace = forward(params.copy(np.float64), tokens[:, None], activation=activation)
    return BackwardPass(backward(trace, targets[:, None], truncation=truncation))
