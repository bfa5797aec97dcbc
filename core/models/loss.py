"""Softmax, cross-entropy in nats per token, and perplexity.

Source: D2L 3.4 (softmax regression), 8.4.4 (perplexity); Deep Learning from Scratch 2, 5.4 (Time Softmax with Loss).
"""

import math
import sys

import numpy as np
from jaxtyping import Float, Integer

from core.models.windows import check_tokens

# While the logarithm of sum(exp(logits)) lies this near to 0, nothing overflowed and nothing of weight vanished, so the rows
# need no shift. Looking at one number per row is 50 times cheaper than looking for each row's maximum.
SAFE = 57.0
LARGEST = math.log(sys.float_info.max)


def cross_entropy(logits: Float[np.ndarray, "T N V"], targets: Integer[np.ndarray, "T N"]) -> Float[np.ndarray, "T N"]:
    """How much probability each target was given: -log softmax(logits)[target], in nats, shape (T, N)."""
    T, N, V = logits.shape
    if targets.shape != (T, N):
        raise ValueError(f"Targets of shape {targets.shape} do not fit logits of shape {logits.shape}.")
    check_tokens(targets, V)
    rows = np.ascontiguousarray(logits).reshape(T * N, V)
    with np.errstate(all="ignore"):
        return SoftmaxLoss(T * N, V, rows.dtype).losses(rows, targets.reshape(-1)).reshape(T, N)


class SoftmaxLoss:
    """Cross-entropy of M rows of V logits, and its derivative; with the buffers it needs.

    The caller silences NumPy's warnings about numbers that are not finite (once for all it does: that takes a microsecond).
    """

    def __init__(self, M: int, V: int, dtype: np.typing.DTypeLike) -> None:
        self.rows = np.empty((M, V), dtype)  # exp(logits - shift); after gradient(): the derivative
        self._flat = self.rows.reshape(-1)
        self._row_starts = np.arange(0, M * V, V)
        self._index = self._row_starts  # where the targets lie among the flattened logits
        self._sums = np.empty(M, dtype)  # of rows: divided by them, they are the softmax
        self._ones = np.ones(V, dtype)

    def losses(self, logits: Float[np.ndarray, "M V"], targets: Integer[np.ndarray, " M"]) -> Float[np.ndarray, " M"]:
        """-log softmax(logits)[target] of every row, in nats."""
        self._index = self._row_starts + targets.astype(np.intp, copy=False)
        chosen = logits.reshape(-1)[self._index]
        log_sums = self._log_sums(logits)
        if not np.maximum.reduce(np.abs(log_sums)) < SAFE:
            shift = logits.max(axis=1)
            chosen -= shift
            log_sums = self._log_sums(logits - shift[:, None])
        log_sums -= chosen
        return log_sums

    def gradient(
        self, logits: Float[np.ndarray, "M V"], targets: Integer[np.ndarray, " M"]
    ) -> tuple[Float[np.ndarray, " M"], Float[np.ndarray, "M V"]]:
        """Losses, and the derivative of their mean with respect to the logits: (softmax - one-hot target) / M, in ``rows``."""
        losses = self.losses(logits, targets)
        share = 1 / len(losses)  # of one token in the mean
        np.multiply(self.rows, (share / self._sums)[:, None], self.rows)
        self._flat[self._index] -= share
        return losses, self.rows

    def _log_sums(self, logits: Float[np.ndarray, "M V"]) -> Float[np.ndarray, " M"]:
        np.exp(logits, self.rows)
        self.rows.dot(self._ones, self._sums)
        return np.log(self._sums)


def softmax(logits: Float[np.ndarray, "... V"]) -> Float[np.ndarray, "... V"]:
    """Probabilities along the last axis, each row summing to one (D2L equation 3.4.3)."""
    with np.errstate(all="ignore"):
        p = np.exp(logits - logits.max(axis=-1, keepdims=True))
        return p / p.sum(axis=-1, keepdims=True)


def perplexity(losses: Float[np.ndarray, "..."]) -> float:
    """exp(total nats / number of tokens), summed in float64; inf where that overflows (D2L equation 8.4.8).

    ``ValueError`` for no tokens at all.
    """
    if losses.size == 0:
        raise ValueError("Perplexity is a mean over tokens; there are none.")
    return perplexity_of(float(losses.sum(dtype=np.float64)) / losses.size)


def perplexity_of(nats: float) -> float:
    """exp(nats per token); inf where that overflows."""
    return math.inf if nats > LARGEST else math.exp(nats)
