"""How much every loss depends on every earlier state: d L_t / d h_k for all t >= k, in one sweep from the last step back.

Ordinary backpropagation through time adds up the gradients of all losses, with one vector per state as the result. Here they
are kept separate: the T losses are T rows of a batch, the latest first, so that the losses of steps >= k are a prefix of it.

    d L_k / d h_k     = (p_k - y_k) W_hq^T                              the loss of step k is added
    d L_t / d h_(k-1) = (d L_t / d h_k * phi'(a_k)) W_hh^T              one step back, for all t >= k

L_t is the loss of step t in nats, not divided by T*N. Sources: D2L 8.7.9 to 8.7.13 (the sum over products of Jacobians, term
by term); the items of dW_hh after RNNbow (Cashman, Patterson, Mosca, Watts, Robinson and Chang 2018).
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from core.models.layers import activation_named, input_layer, output_layer
from core.models.loss import softmax
from core.models.params import Ids, Params, States
from core.models.rnn import Gradients, Trace

KEEP = 0.9  # share of a state that an additive path hands on
LEAST_LOSSES = 4  # a lag with fewer losses does not count for the fitted line


@dataclass(frozen=True, eq=False)
class GradientFlow:
    """Derivatives of every loss with respect to every state. Index [t-1, k-1] is d L_t / d h_k; zero for k > t.

    ``per_sequence`` are Euclidean norms, one for each sequence of the batch, in nats per unit of h. ``of_sum[k-1]`` is the norm
    of the sum over all losses: of T*N times ``Gradients.dh``, the result of ordinary backpropagation. ``vectors`` are the
    derivatives themselves, where requested.
    """

    per_sequence: Float[np.ndarray, "T T N"]
    of_sum: Float[np.ndarray, " T"]
    vectors: Float[np.ndarray, "T T N H"] | None = None

    @property
    def norms(self) -> Float[np.ndarray, "T T"]:
        """Norms over the batch: the derivatives of all sequences count as one vector."""
        with np.errstate(all="ignore"):
            return np.sqrt(np.square(self.per_sequence).sum(axis=-1))

    @property
    def sum_of_norms(self) -> Float[np.ndarray, " T"]:
        """The sum over all losses of the norms at every state: ``of_sum`` if all gradients have one direction, else larger."""
        return self.norms.sum(axis=0)


def gradient_flow(gradients: Gradients, *, vectors: bool = False) -> GradientFlow:
    """All d L_t / d h_k of a window, from the derivative of each loss with respect to its own logits in ``gradients``.

    Computed in the parameters' dtype. With ``vectors`` the (T, T, N, H) derivatives are stored as well. A truncation of
    ``gradients`` is ignored: the result has all t >= k.
    """
    (T, N), H = gradients.losses.shape, gradients.dh.shape[-1]
    own, slope = from_loss(gradients)[1:] * (T * N), gradients.trace.slope[1:]
    W_hh_T = np.ascontiguousarray(gradients.trace.params.W_hh.T)
    norms, sums = np.zeros((T, T, N), own.dtype), np.empty_like(own)
    kept = np.zeros((T, T, N, H), own.dtype) if vectors else None
    rows = np.empty((N, T, H), own.dtype)
    with np.errstate(all="ignore"):
        for k in reversed(range(T)):
            joined = T - k  # the losses of steps T, T-1, ..., k+1
            rows[:, joined - 1] = own[k]
            dh = rows[:, :joined]
            np.einsum("njh,njh->jn", dh, dh, out=norms[::-1][:joined, k])
            np.add.reduce(dh, axis=1, out=sums[k])
            if kept is not None:
                kept[::-1][:joined, k] = dh.swapaxes(0, 1)
            for n in range(N):
                dh[n] = (dh[n] * slope[k, n]) @ W_hh_T
        return GradientFlow(np.sqrt(norms, out=norms), np.linalg.norm(sums.reshape(T, -1), axis=1), kept)


class RecurrentShares(NamedTuple):
    """The terms of d(sum of all losses) / d W_hh: one item for every loss t and every step k <= t that its gradient passes.

    ``items[t-1, k-1]`` is the norm of the term of loss t at step k, ``by_step[k-1]`` the norm of the sum of all terms at step k.
    ``shares[t-1, k-1]`` is the item's share of the whole gradient: its component in the direction of the whole. Shares can be
    negative (an item of opposite direction); they sum to one, and are nan where the whole is zero.
    """

    items: Float[np.ndarray, "T T"]
    by_step: Float[np.ndarray, " T"]
    shares: Float[np.ndarray, "T T"]

    @property
    def of_lag(self) -> Float[np.ndarray, " T"]:
        """The total share of the items 0, 1, 2, ... steps before their loss."""
        return np.array([np.trace(self.shares, -lag) for lag in range(len(self.shares))])

    @property
    def against(self) -> float:
        """The sum of all negative shares, as a positive number."""
        return float(-self.shares[self.shares < 0].sum())

    def lag_of_share(self, share: float) -> tuple[int, float]:
        """The smallest lag at which the cumulative share reaches ``share`` (the last if none does), and the share reached."""
        so_far = np.cumsum(self.of_lag)
        lag = int(np.argmax(so_far >= share)) if (so_far >= share).any() else len(so_far) - 1
        return lag, float(so_far[lag])


def recurrent_shares(trace: Trace, flow: GradientFlow) -> RecurrentShares:
    """The items h_(k-1)^T (d L_t / d a_k) of dW_hh, summed over the batch. ``ValueError`` for a flow without vectors.

    No item is formed as a matrix: |sum_n h_n^T a_n|^2 is the sum over pairs (n, m) of (h_n . h_m)(a_n . a_m).
    """
    if flow.vectors is None:
        raise ValueError("The items of dW_hh need the derivatives themselves: ask gradient_flow for its vectors.")
    before = trace.h[:-1]
    with np.errstate(all="ignore"):
        da = flow.vectors * trace.slope[1:]
        of_step = da.sum(axis=0)
        pairs = before @ before.swapaxes(-1, -2)
        items = np.sqrt(np.maximum(np.einsum("tknm,knm->tk", da @ da.swapaxes(-1, -2), pairs), 0))
        by_step = np.sqrt(np.maximum(np.einsum("knm,knm->k", of_step @ of_step.swapaxes(-1, -2), pairs), 0))
        whole = np.tensordot(before, of_step, axes=([0, 1], [0, 1]))
        shares = np.einsum("knh,tknh->tk", before @ whole, da) / np.square(whole).sum()
        return RecurrentShares(items, by_step, shares)


class LagCurve(NamedTuple):
    """Norms of d L_t / d h_(t-lag) over all t, for every lag: median and quartiles; and ``rate``, the factor per step back.

    ``rate`` comes from the straight line fitted to the logarithms of the medians; nan where no line can be fitted.
    """

    median: Float[np.ndarray, " T"]
    low: Float[np.ndarray, " T"]
    high: Float[np.ndarray, " T"]
    rate: float
    start: float  # value of the fitted line at lag 0, in nats per unit of h
    fitted: int = 0  # number of lags, from 0 on, to which the line was fitted

    @property
    def line(self) -> Float[np.ndarray, " fitted"]:
        """The values of the fitted line at the lags it was fitted to; nan where no line can be fitted."""
        return self.start * self.rate ** np.arange(self.fitted, dtype=np.float64)

    def median_from(self, start: float) -> Float[np.ndarray, " T"] | None:
        """The medians scaled so that they begin at ``start``; None if the median at lag 0 is zero or not finite."""
        if not 0 < self.median[0] < np.inf:
            return None
        with np.errstate(all="ignore"):
            return self.median * (start / self.median[0])


def lag_curve(norms: Float[np.ndarray, "T T"]) -> LagCurve:
    """The norm of a gradient by the number of steps back, from ``GradientFlow.norms``."""
    T = len(norms)
    with np.errstate(all="ignore"):
        low, median, high = np.array([np.quantile(np.diagonal(norms, -lag), (0.25, 0.5, 0.75)) for lag in range(T)]).T
    fitted = min(max(T - LEAST_LOSSES + 1, 2), T)
    return LagCurve(median, low, high, *_rate(median[:fitted]), fitted)


def _rate(median: Float[np.ndarray, " lags"]) -> tuple[float, float]:
    """Factor per step and value at lag 0 of the least-squares line through log(median); nan with fewer than two points."""
    lags = np.flatnonzero(np.isfinite(median) & (median > 0))
    if len(lags) < 2:
        return np.nan, np.nan
    slope, start = np.polyfit(lags, np.log(median[lags]), 1)
    return float(np.exp(slope)), float(np.exp(start))


def from_loss(gradients: Gradients) -> States:
    """The part of dh_t from the loss of step t (D2L 8.7.16): dlogits_t W_hq^T, in the unit of ``gradients``.

    Row t belongs to ``trace.h[t]``, as in ``gradients.dh``; row 0 is zero.
    """
    with np.errstate(all="ignore"):
        own = gradients.dlogits @ gradients.trace.params.W_hq.T
    return np.concatenate([np.zeros_like(own[:1]), own])


def from_future(gradients: Gradients) -> States:
    """The part of dh_t from all later losses (D2L 8.7.16): da_(t+1) W_hh^T, in the unit of ``gradients``, shape (T+1, N, H).

    Zero at the last step and at cuts. Row t belongs to ``trace.h[t]``; row 0 is dL/dh of the state carried in.
    """
    with np.errstate(all="ignore"):
        sent = gradients.da[1:] @ gradients.trace.params.W_hh.T
    sent[gradients.truncation :: gradients.truncation] = 0
    return np.concatenate([sent, np.zeros_like(sent[:1])])


def additive_norms(
    params: Params, tokens: Ids, targets: Ids, *, keep: float = KEEP, activation: str = "tanh"
) -> Float[np.ndarray, "T T"]:
    """Norms of all d L_t / d h_k, as in :class:`GradientFlow`, of the same weights with an additive path beside W_hh.

        h_t = keep h_(t-1) + (1 - keep) phi(x_t W_xh + h_(t-1) W_hh + b_h)

    This is what the gates of an LSTM or a GRU add, with one constant gate. One sequence, float64, from a state of zeros. Sources:
    Jaeger, Lukosevicius, Popovici and Siewert 2007 (leaky units); Hochreiter and Schmidhuber 1997, section 3.2 (constant error
    flow).
    """
    wide, phi, T = params.copy(np.float64), activation_named(activation), len(tokens)
    h, slope = np.zeros((T + 1, wide.hidden_size)), np.zeros((T, wide.hidden_size))
    with np.errstate(all="ignore"):
        inputs = input_layer(wide, tokens[:, None])[:, 0]
        for t in range(T):
            value = phi.value(inputs[t] + h[t] @ wide.W_hh)
            slope[t] = phi.slope(value, np.empty_like(value))
            h[t + 1] = keep * h[t] + (1 - keep) * value
        dlogits = softmax(output_layer(wide, h[1:, None])[:, 0])
        dlogits[np.arange(T), targets] -= 1
        dh, norms = dlogits @ wide.W_hq.T, np.zeros((T, T))  # row t: of the loss of step t + 1, at the state reached so far
        for k in reversed(range(T)):
            norms[k:, k] = np.linalg.norm(dh[k:], axis=1)
            dh[k:] = keep * dh[k:] + ((1 - keep) * dh[k:] * slope[k]) @ wide.W_hh.T
        return norms
