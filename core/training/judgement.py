"""The loss of a network on a part of a text, and how sure it is.

Losses of neighbouring tokens are dependent. Blocks of equal length that lie far apart are nearly independent: the means of B
blocks spread sqrt(B) times as wide as the mean over all of them would from one choice of blocks to another. Source: Carlstein
1986, The use of subseries values for estimating the variance of a general statistic from a stationary sequence.
"""

import math
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

FEWEST = 8  # blocks: the spread of fewer says too little
SURE = 2.0  # standard errors: a normal variable is farther from its mean in 5 % of cases


class Judgement(NamedTuple):
    """``rows`` (B,) are the mean losses of B blocks of ``width`` tokens each, in nats per token."""

    rows: Float[np.ndarray, " B"]
    width: int

    @property
    def nats(self) -> float:
        """Mean loss over all tokens."""
        return float(self.rows.mean())

    @property
    def error(self) -> float:
        """The standard error of ``nats``; nan for fewer than FEWEST blocks."""
        return standard_error(self.rows)

    def within_noise(self, other: "Judgement") -> bool:
        """Whether two networks judged on the same tokens cannot be told apart: the mean of the paired differences is no more than
        SURE standard errors from 0. False where the blocks are too few, or are not the same."""
        if (len(self.rows), self.width) != (len(other.rows), other.width):
            return False
        differences = self.rows - other.rows
        return bool(abs(differences.mean()) <= SURE * standard_error(differences))


def standard_error(means: Float[np.ndarray, " B"]) -> float:
    """Of the mean over B blocks, from the mean of each, in their unit; nan for fewer than FEWEST blocks."""
    return float(np.std(means, ddof=1)) / math.sqrt(len(means)) if len(means) >= FEWEST else math.nan
