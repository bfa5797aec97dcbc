"""The network without and with a state, reading the same text."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Integer

from core.analysis.unrolled import unroll
from core.models.loss import softmax
from core.models.rnn import Params, forward


@dataclass(frozen=True, eq=False)
class AfterText:
    """What a network makes of a text of T tokens: its hidden numbers at each, and what it expects after the last."""

    h: Float[np.ndarray, "T H"]
    p: Float[np.ndarray, " V"]


def read_text(params: Params, tokens: Integer[np.ndarray, " T"], activation: str) -> AfterText:
    """Read a text from a zero state. ``p`` is float64, and nan where the network's numbers are no longer finite."""
    trace = forward(params, tokens[:, None], activation=activation)
    return AfterText(trace.h[1:, 0], softmax(trace.logits[-1, 0].astype(np.float64)))


def swapped(tokens: Integer[np.ndarray, " T"], i: int, j: int) -> Integer[np.ndarray, " T"]:
    """The tokens with the i-th and the j-th exchanged."""
    other = tokens.copy()
    other[[i, j]] = tokens[[j, i]]
    return other


def probability_moved(before: AfterText, after: AfterText) -> float:
    """How much probability changed its place between two predictions: half the sum of all changes, between 0 and 1."""
    return float(np.abs(before.p - after.p).sum() / 2)


def share_of_memory(params: Params, tokens: Integer[np.ndarray, " T"], activation: str) -> float:
    """What part of the last pre-activation comes from the state, 0 to 1: one of the shares of ``core.analysis.unrolled``."""
    return float(np.nan_to_num(unroll(params, tokens, tokens, activation=activation).shares[-1, 1]))
