"""Softmax, cross-entropy in nats per token, and perplexity.

Source: D2L 3.4 (softmax regression), 8.4.4 (perplexity); Deep Learning from Scratch 2, 5.4 (Time Softmax with Loss).
"""

import math
import sys

import numpy as np
from jaxtyping import Float

from core.models.fast import exponentials
from core.models.layers import flat, token_ids
from core.models.params import Logits, Tokens

LARGEST = math.log(sys.float_info.max)


def cross_entropy(logits: Logits, targets: Tokens) -> Float[np.ndarray, "T N"]:
    """-log softmax(logits)[target] of each target, in nats, shape (T, N).

    ``ValueError`` for targets that are not integers in [0, V), one for each row of logits.
    """
    with np.errstate(all="ignore"):
        return loss_and_gradient(logits, targets, out=np.empty_like(logits))


def loss_and_gradient(
    logits: Logits, targets: np.ndarray, weights: Float[np.ndarray, "T N"] | None = None, *, out: Logits
) -> Float[np.ndarray, "T N"]:
    """Return :func:`cross_entropy`; write d(sum of weights * losses) / d(logits) = weights * (softmax - one-hot) into ``out``.

    Without ``weights`` each is 1 / (T*N): the derivative is that of the mean. The caller silences NumPy's warnings about numbers
    that are not finite. ``ValueError`` for shapes that do not fit.
    """
    if targets.shape != logits.shape[:2]:
        raise ValueError(f"Targets of shape {targets.shape} do not fit logits of shape {logits.shape}.")
    place = np.arange(targets.size), token_ids(targets, logits.shape[2]).reshape(-1)  # of each target's logit
    weight = 1 / targets.size if weights is None else weights.reshape(-1).astype(logits.dtype)
    dlogits = flat(out)
    logits, sums = exponentials(flat(logits), out=dlogits)
    dlogits *= (weight / sums)[:, None]
    dlogits[place] -= weight
    return (np.log(sums) - logits[place]).reshape(targets.shape)


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
