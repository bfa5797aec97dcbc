"""Softmax, cross-entropy in nats per token, and perplexity.

Source: D2L 3.4 (softmax regression), 8.4.4 (perplexity); Deep Learning from Scratch 2, 5.4 (Time Softmax with Loss).
"""

import math
import sys

import numpy as np
from jaxtyping import Float

from core.models.layers import flat, ones, token_ids
from core.models.params import Logits, Tokens

# If |log(sum(exp(logits)))| is below this, no exponential has overflowed and none that matters has underflowed, so rows need
# no shift; checking these sums is 50 times cheaper than finding the maximum of each row.
SAFE = 57.0
LARGEST = math.log(sys.float_info.max)


def cross_entropy(logits: Logits, targets: Tokens) -> Float[np.ndarray, "T N"]:
    """-log softmax(logits)[target] of each target, in nats, shape (T, N).

    ``ValueError`` for targets that are not integers in [0, V), one for each row of logits.
    """
    with np.errstate(all="ignore"):
        return loss_and_gradient(logits, targets, out=np.empty_like(logits))


def loss_and_gradient(logits: Logits, targets: np.ndarray, out: Logits) -> Float[np.ndarray, "T N"]:
    """Return :func:`cross_entropy`; write d(its mean)/d(logits) = (softmax(logits) - one-hot) / (T*N) into ``out``.

    The caller silences NumPy's warnings about numbers that are not finite.
    """
    if targets.shape != logits.shape[:2]:
        raise ValueError(f"Targets of shape {targets.shape} do not fit logits of shape {logits.shape}.")
    M, V = targets.size, logits.shape[2]
    places = np.arange(0, M * V, V) + token_ids(targets, V).reshape(-1)  # flat index of each target's logit
    logits, dlogits = flat(logits), flat(out)
    sums = np.exp(logits, out=dlogits).dot(ones(V, logits.dtype))
    log_sums = np.log(sums)
    if not np.abs(log_sums).max() < SAFE:
        logits = logits - logits.max(axis=1, keepdims=True)
        sums = np.exp(logits, out=dlogits).dot(ones(V, logits.dtype))
        log_sums = np.log(sums)
    dlogits *= (1 / M / sums)[:, None]
    dlogits.reshape(-1)[places] -= 1 / M
    return (log_sums - logits.take(places)).reshape(targets.shape)


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
