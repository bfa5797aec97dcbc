"""Truncated gradients compared with the whole gradient: the cells that are kept, the share of their norms, and the direction.

The gradient of every weight before the state is a sum over cells (t, k), the terms of loss t at step k <= t:

    dW = sum over t, k of  x_k^T d L_t / d a_k,    x_k = the factor of W at step k: the input, h_(k-1), or 1

and a truncation drops cells. All schemes here keep, for each loss t, the cells from a first step up to t, and this first step
never decreases as t grows. So the losses kept at each step k are t = k ... last, and one cumulative sum over t is enough for
all schemes (the cells come from ``core.analysis.gradient_flow``).

With the state reset every tau steps, each block is a separate forward pass, drawn in one window; no loss depends on a state
before its block, so the gradient of each block is complete.

Sources: Williams and Peng 1990 (BPTT(h; h')); Sutskever 2013, 2.8.6 (TBPTT(k1, k2)); D2L 8.7.1.2; Deep Learning from
Scratch 2, 5.2.4 (blocks).
"""

from dataclasses import dataclass, fields

import numpy as np
from jaxtyping import Float, Integer

from core.analysis.backward import BackwardPass
from core.analysis.gradient_flow import GradientFlow
from core.analysis.unrolled import Unrolled, unroll
from core.models.layers import flat
from core.models.params import Ids, Params
from core.models.rnn import Trace, backward

# Weights whose gradient comes through the states (W_emb: through W_xh); truncation does not change those of W_hq and b_q.
LAYER_WEIGHTS = "W_xh", "W_hh", "b_h"


def tbptt(T: int, k1: int, k2: int) -> Integer[np.ndarray, "{T}"]:
    """TBPTT(k1, k2): every k1 steps the latest k1 losses are backpropagated through the last k2 steps.

    Return the first step kept for each loss t = 1 ... T: max(s - k2 + 1, 1), where s ends the group of k1 losses that has t.
    ``ValueError`` unless 1 <= k1 <= k2: a loss always reaches its own step.
    """
    if not 1 <= k1 <= k2:
        raise ValueError(f"Every loss must reach its own step: 1 ≤ k1 ≤ k2, not k1 = {k1} and k2 = {k2}.")
    t = np.arange(1, T + 1)
    return np.maximum(-(-t // k1) * k1 - k2 + 1, 1)


def blocks(T: int, tau: int) -> Integer[np.ndarray, "{T}"]:
    """The truncation of training: cell (t, k) is kept if and only if (t-1)//tau = (k-1)//tau. The same as TBPTT(tau, tau).

    Within a block the losses reach back 0, 1, ... tau-1 steps: (tau-1)/2 on average, 0 for the first.
    """
    return tbptt(T, tau, tau)


def window(T: int, tau: int) -> Integer[np.ndarray, "{T}"]:
    """A sliding window: cell (t, k) is kept if and only if t - k < tau. The same as TBPTT(1, tau)."""
    return tbptt(T, 1, tau)


def mean_reach(first: Integer[np.ndarray, " T"]) -> float:
    """The mean number of steps that a loss is backpropagated."""
    return float((np.arange(1, len(first) + 1) - first).mean())


@dataclass(frozen=True, eq=False)
class Truncated:
    """Truncated gradients compared with the whole gradient. Axis 0: the requested schemes; axis 1: W_xh, W_hh, b_h.

    ``cosine`` of the angle between both; ``ratio`` = |truncated| / |whole|. nan where the whole gradient is zero (cosine: or the
    truncated one). ``kept``: share of the sum of all cells' norms.
    """

    cosine: Float[np.ndarray, "schemes 3"]
    ratio: Float[np.ndarray, "schemes 3"]
    kept: Float[np.ndarray, " schemes"]

    @property
    def lost(self) -> Float[np.ndarray, "schemes 3"]:
        """|whole - truncated| / |whole|: the part of the update that a step of training does without."""
        turned = np.where(self.ratio == 0, 0.0, self.cosine)  # a gradient of nothing has no direction
        return np.sqrt(np.maximum(1 + self.ratio**2 - 2 * turned * self.ratio, 0))


class TruncationCells:
    """The cells of one window, for any scheme: computed once for a network, compared at every move of the slider."""

    def __init__(self, trace: Trace, flow: GradientFlow) -> None:
        """``flow`` belongs to the forward pass ``trace``; ``ValueError`` if it has no vectors."""
        if flow.vectors is None:
            raise ValueError("A truncated gradient is summed from the derivatives themselves: ask gradient_flow for its vectors.")
        self.trace = trace
        self.norms = flow.norms
        self._products = _pair_products(trace)
        with np.errstate(all="ignore"):
            self._up_to = np.cumsum(flow.vectors, axis=0) * trace.slope[1:]  # [t-1, k-1]: d (L_k + ... + L_t) / d a_k

    def __len__(self) -> int:
        return len(self.norms)

    def da(self, first: Integer[np.ndarray, " T"]) -> Float[np.ndarray, "rows H"]:
        """Derivatives of the sum of all losses with respect to the pre-activations, from the cells that ``first`` keeps: a row
        for each step and sequence."""
        steps = np.arange(1, len(self) + 1)
        last = np.searchsorted(first, steps, side="right")  # the last loss that still reaches step k
        return flat(self._up_to[last - 1, steps - 1])

    def kept(self, first: Integer[np.ndarray, " T"]) -> float:
        """The share of the sum of all norms |d L_t / d h_k| that is kept; nan if all of them are zero."""
        steps = np.arange(1, len(self) + 1)
        with np.errstate(all="ignore"):
            return float((self.norms * (steps >= first[:, None])).sum() / self.norms.sum())

    def compare(self, schemes: list[Integer[np.ndarray, " T"]]) -> Truncated:
        """Compare ``schemes`` with the whole gradient. No matrix is formed: <x^T a, x^T b> = sum_ij (x_i . x_j)(a_i . b_j)."""
        whole = self.da(window(len(self), len(self)))
        with np.errstate(all="ignore"):
            sizes = self._dot(whole, whole)
            products = [(self._dot(cut, whole), self._dot(cut, cut)) for cut in map(self.da, schemes)]
            dot, square = np.array(products).swapaxes(0, 1)  # (schemes, 3) each
            return Truncated(
                cosine=np.clip(dot / np.sqrt(square * sizes), -1, 1),
                ratio=np.sqrt(square / sizes),
                kept=np.array([self.kept(first) for first in schemes]),
            )

    def _dot(self, a: Float[np.ndarray, "rows H"], b: Float[np.ndarray, "rows H"]) -> Float[np.ndarray, " 3"]:
        """The inner products of two gradients of W_xh, W_hh and b_h, from their derivatives with respect to a."""
        products = np.einsum("wij,ij->w", self._products, a @ b.T)
        return np.maximum(products, 0) if a is b else products  # rounding can make a square negative


def _pair_products(trace: Trace) -> Float[np.ndarray, "3 rows rows"]:
    """x_i . x_j of the factors x of W_xh, W_hh and b_h, for all pairs of (step, sequence)."""
    params, tokens = trace.params, trace.tokens.reshape(-1)
    h = flat(trace.h[:-1])
    if params.W_emb is None:
        inputs = (tokens[:, None] == tokens).astype(h.dtype)
    else:
        inputs = params.W_emb[tokens] @ params.W_emb[tokens].T
    with np.errstate(all="ignore"):
        return np.stack([inputs, h @ h.T, np.ones_like(inputs)])


def unroll_with_resets(params: Params, tokens: Ids, targets: Ids, tau: int, *, activation: str = "tanh") -> Unrolled:
    """The forward pass over ``tokens``, from zeros in every block. ``h[t]`` is the state after t tokens, before any reset.

    ``from_memory`` is zero at the first step of every block. ``ValueError`` for a block of less than one step.
    """
    if tau < 1:
        raise ValueError(f"A block has at least one step, not {tau}.")
    blocks = [slice(start, start + tau) for start in range(0, len(tokens), tau)]
    parts = [unroll(params, tokens[block], targets[block], activation=activation) for block in blocks]
    joined = {
        field.name: np.concatenate([getattr(part, field.name) for part in parts])
        for field in fields(Unrolled)
        if field.name not in ("h", "bias", "activation")
    }
    h = np.concatenate([parts[0].h[:1], *[part.h[1:] for part in parts]])
    return Unrolled(h=h, bias=parts[0].bias, activation=activation, **joined)


def backward_with_resets(params: Params, u: Unrolled, tau: int) -> BackwardPass:
    """The backward pass over the blocks of ``u``: derivatives with respect to logits, states and pre-activations, step by step.

    Its gradient of W_hh is wrong: at the start of a block W_hh multiplied zeros, not the state in the trace.
    """
    trace = Trace(u.tokens[:, None], u.h[:, None], u.logits[:, None], u.activation, params.copy(np.float64))
    return BackwardPass(backward(trace, u.targets[:, None], truncation=tau))


def sizes_with_resets(b: BackwardPass, tau: int) -> Float[np.ndarray, "T T"]:
    """|d L_t / d h_k| of :func:`backward_with_resets`: exactly zero if t and k are in different blocks."""
    block = np.arange(len(b.h) - 1) // tau
    return np.where(block[:, None] == block, b.flow().norms, 0.0)
