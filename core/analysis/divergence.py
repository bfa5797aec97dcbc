"""Cross-entropy is never below entropy: on a language whose source is known, the gap is the divergence, and exact.

    cross-entropy(P, Q) = entropy(P) + D(P || Q),   D >= 0   (Gibbs' inequality; Cover and Thomas 2006, theorem 2.6.3)

P is the lag language itself (``core.text.languages``), Q what a model predicts; all in nats per token, averaged over a text.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Integer

from core.config.settings import Settings
from core.models.loss import cross_entropy
from core.models.params import Params
from core.models.rnn import forward
from core.text.corpus import Stream
from core.text.languages import NOISE

ROWS, LENGTH = 32, 256  # of a text that the gap is taken on


@dataclass(frozen=True)
class Gap:
    """Means over the same tokens, nats per token: ``cross_entropy`` = ``entropy`` + ``divergence`` up to rounding.

    These are expectations over the next bit. ``measured`` is the mean loss on the bits that really came.
    """

    cross_entropy: float
    entropy: float
    divergence: float
    measured: float


def gap_on_lag(
    losses: Float[np.ndarray, "L N"],
    inputs: Integer[np.ndarray, "L N"],
    targets: Integer[np.ndarray, "L N"],
    lag: int,
    noise: float = NOISE,
) -> Gap:
    """How far a model of two symbols is from the lag language, from its losses -ln q(target) along N texts of L tokens.

    The first ``lag`` - 1 tokens of each text are passed over: the bit they repeat lies before it. ``ValueError`` if none is left.
    """
    if len(inputs) < lag:
        raise ValueError(f"A text of {len(inputs)} tokens says nothing about a lag of {lag}.")
    came = losses[lag - 1 :].astype(np.float64)  # target t repeats input t - (lag - 1)
    repeated = inputs[: len(inputs) - lag + 1] == targets[lag - 1 :]
    p = np.where(repeated, 1 - noise, noise)  # of the bit that came, in truth
    with np.errstate(divide="ignore"):
        other = -np.log(-np.expm1(-came))  # what the other bit would have cost
        cross = p * came + (1 - p) * other
    entropy = -(noise * np.log(noise) + (1 - noise) * np.log1p(-noise))
    with np.errstate(divide="ignore", invalid="ignore"):
        divergence = p * (came + np.log(p)) + (1 - p) * (other + np.log1p(-p))
    return Gap(float(cross.mean()), float(entropy), float(divergence.mean()), float(came.mean()))


def gap_of_network(params: Params, stream: Stream, settings: Settings) -> Gap:
    """How far a network is from the lag language, on rows spread evenly over a text and read in windows as in training."""
    length = min(LENGTH, len(stream))
    rows = max(min(ROWS, len(stream) // length), 1)
    places = np.arange(rows) * (len(stream) // rows) + np.arange(length)[:, None]
    inputs, targets, h, parts = stream.inputs[places], stream.targets[places], None, []
    with np.errstate(all="ignore"):
        for start in range(0, length, settings.num_steps):
            window = slice(start, start + settings.num_steps)
            trace = forward(params, inputs[window], h, activation=settings.activation)
            parts.append(cross_entropy(trace.logits, targets[window]))
            h = trace.h[-1] if settings.carry_state else None
        return gap_on_lag(np.concatenate(parts), inputs, targets, settings.lag)
