"""Two words in both orders: what a mean, putting them side by side, and a state make of them.

The mean is CBOW's hidden layer, which loses the order of its words (Deep Learning from Scratch 2, 5.1).
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.analysis.recurrent_step.matrices import StepMatrices, network_of
from core.models.rnn import forward


@dataclass(frozen=True, eq=False)
class BothOrders:
    """Two words in one order and in the other: their vectors, and what three ways to put them together make of them."""

    vectors: Float[np.ndarray, "2 D"]
    mean: Float[np.ndarray, "2 D"]
    joined: Float[np.ndarray, "2 W"]
    states: Float[np.ndarray, "2 H"]


def in_both_orders(m: StepMatrices, first: int, second: int, activation: str = "tanh") -> BothOrders:
    """Row 0 of each result: word ``first``, then ``second``; row 1: the other way round. The states begin at zero."""
    one, other = m.X[first], m.X[second]
    tokens = np.array([[first, second], [second, first]])
    return BothOrders(
        vectors=np.stack([one, other]),
        mean=np.stack([(one + other) / 2, (other + one) / 2]),
        joined=np.stack([np.concatenate([one, other]), np.concatenate([other, one])]),
        states=forward(network_of(m), tokens, activation=activation).h[-1],
    )


def difference(rows: Float[np.ndarray, "2 W"]) -> float:
    """The largest difference between two rows."""
    return float(np.abs(rows[0] - rows[1]).max())


def weights_before_the_hidden_layer(D: int, H: int, words: int) -> dict[str, int]:
    """How many weights read ``words`` word vectors of width D: as their mean, side by side, and one after the other."""
    return {"mean": D * H, "joined": words * D * H, "state": D * H + H * H}
