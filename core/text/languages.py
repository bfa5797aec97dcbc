"""Generated languages whose best possible perplexity is known exactly, with the proofs.

Each language has a function that draws tokens, and functions that return the lowest perplexity any model can expect on them,
with the derivation. This module has no texts; ``corpus.py`` makes a corpus of the tokens.

Both languages require a bit from the past. Echo-k predicts, at step t, the bit read at t - k: the gradient of that loss must
reach k states further back. Lag-k predicts at step t the bit of step t + 1, which repeats the bit of step t + 1 - k: it must
reach k - 1 states back. So a truncation of k + 1 steps is the least that can teach echo-k, and k steps lag-k.

Truncation alone sets no bound: a carried state may contain information that no gradient has trained it to contain (a
reservoir), so with the state carried the best perplexity is that of the language for any truncation. If the state is reset
for every window, no information passes to the next window: ``..._with_reset`` are bounds for every network and every training.
"""

import math

import numpy as np
from jaxtyping import Int32

NOISE = 0.05  # how often a bit of the lag language differs from the one it should repeat


def lag_language(length: int, lag: int, rng: np.random.Generator, noise: float = NOISE) -> Int32[np.ndarray, " length"]:
    """Bits of which each equals the one ``lag`` back with probability 1 - noise, (length,); the first ``lag`` are fair coins.

    Bits a multiple of ``lag`` apart form a chain, and each chain is the running parity of its flips.
    """
    flips = rng.random(length) < noise
    flips[:lag] = rng.random(min(lag, length)) < 0.5
    chains = np.zeros((math.ceil(length / lag), lag), np.int8)
    chains.ravel()[:length] = flips
    return np.bitwise_xor.accumulate(chains, axis=0).ravel()[:length].astype(np.int32)


def lag_floor(noise: float = NOISE) -> float:
    """The lowest perplexity a model with memory can expect on the lag language: exp(H(noise)), 1.2196 for noise 0.05.

    Given all bits so far, the next one differs from the bit ``lag`` back with probability ``noise`` and depends on nothing
    else, so its entropy is H(p) = -p ln p - (1-p) ln(1-p) nats, and no prediction expects fewer nats than the entropy
    (Gibbs' inequality). A model that reaches back less than ``lag`` bits sees fair coins: perplexity 2.
    """
    return math.exp(_entropy(noise))


def lag_floor_with_reset(lag: int, window: int, noise: float = NOISE) -> float:
    """The lowest perplexity when the state is reset at the start of each window of ``window`` predictions.

    The prediction after t bits of the window, t = 1 ... window, is of bit t+1, which repeats bit t+1-lag. That bit was read
    in this window if t >= lag. So min(lag-1, window) predictions are of fair coins at ln 2 nats, and the others cost H(noise):
    exp((min(lag-1, window) ln 2 + max(0, window-lag+1) H(noise)) / window).
    """
    blind = min(lag - 1, window)
    return math.exp((blind * math.log(2) + (window - blind) * _entropy(noise)) / window)


def echo_language(
    length: int, k: int, rng: np.random.Generator
) -> tuple[Int32[np.ndarray, " length"], Int32[np.ndarray, " length"]]:
    """Fair coins, and for each the coin ``k`` before it: inputs and targets, (length,) each.

    ``targets[i] == inputs[i - k]``; the first ``k`` targets are coins that came before the first input.
    """
    coins = rng.integers(0, 2, length + k, dtype=np.int32)
    return coins[k:], coins[:length]


def echo_floor() -> float:
    """The lowest perplexity a model with memory can expect on the echo task, whatever k: 1.

    The target was read k steps ago, so it is certain: 0 nats. (The first k targets of a text are coins never read; their
    part in the mean goes to zero as the text grows.)
    """
    return 1.0


def echo_floor_with_reset(k: int, window: int) -> float:
    """The lowest perplexity when the state is reset at the start of each window of ``window`` predictions.

    Prediction t of the window, t = 1 ... window, is of the coin read at t - k. If t <= k, that was before the window: nothing
    in the state depends on it, and a fair coin costs ln 2 nats. If t > k, it was read in this window and costs nothing. So
    min(k, window) predictions cost ln 2 each: exp(min(k, window) ln 2 / window) = 2^(min(k, window) / window). It is 2 up to
    window = k, and falls from k + 1 on.
    """
    return 2.0 ** (min(k, window) / window)


def _entropy(p: float) -> float:
    """H(p) in nats, of a coin that shows heads with probability p."""
    return -sum(q * math.log(q) for q in (p, 1 - p) if q > 0)
