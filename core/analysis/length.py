"""The length of a text: its probability is a product that falls with every token, its mean loss is not.

    P(x_1 ... x_L) = P(x_1) P(x_2 | x_1) ... P(x_L | x_1 ... x_(L-1))

Source: Deep Learning from Scratch 2, 5.1.2 (the product rule, applied step by step); D2L 8.4.4 (averaging).
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

LN_10 = float(np.log(10))


@dataclass(frozen=True, eq=False)
class Growing:
    """A text read token by token: what is known after each of its L scored tokens.

    ``log10_likelihood``: log10 of the probability of all tokens so far, never rising. ``mean_nats``: -ln p per token so far.
    """

    p: Float[np.ndarray, " L"]
    log10_likelihood: Float[np.ndarray, " L"]
    mean_nats: Float[np.ndarray, " L"]

    @property
    def perplexity(self) -> Float[np.ndarray, " L"]:
        """exp(mean_nats): of the tokens so far."""
        with np.errstate(over="ignore"):
            return np.exp(self.mean_nats)


def growing(nats: Float[np.ndarray, " L"]) -> Growing:
    """The prefixes of a text whose tokens cost ``nats`` each."""
    with np.errstate(all="ignore"):
        total = np.cumsum(nats.astype(np.float64))
        return Growing(np.exp(-nats.astype(np.float64)), -total / LN_10, total / np.arange(1, len(nats) + 1))
