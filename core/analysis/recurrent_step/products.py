"""The sum of two products beside one product of what is put together (D2L 8.4.2, equation 8.4.5)."""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from core.analysis.recurrent_step.matrices import StepMatrices, network_of, one_step
from core.analysis.unrolled import pre_activations


@dataclass(frozen=True, eq=False)
class TwoWays:
    """X W_xh + H W_hh, and [X, H] [W_xh; W_hh] = ``together stacked``.

    ``addends[n, j, k]`` is the k-th of the K = D + H addends of cell (n, j).
    """

    together: Float[np.ndarray, "N K"]
    stacked: Float[np.ndarray, "K H"]
    two: Float[np.ndarray, "N H"]
    one: Float[np.ndarray, "N H"]
    addends: Float[np.ndarray, "N H K"]

    @property
    def difference(self) -> float:
        """The largest of all cells, in absolute value."""
        return float(np.abs(self.two - self.one).max())


def two_ways(m: StepMatrices) -> TwoWays:
    """The sum of two products, the network's pre-activation without its bias, and the one product equal to it (D2L 8.4.2)."""
    together, stacked = np.concatenate([m.X, m.H], axis=1), np.concatenate([m.W_xh, m.W_hh])
    two = pre_activations(one_step(m, network_of(replace(m, b=np.zeros_like(m.b)))))[0]
    return TwoWays(together, stacked, two, together @ stacked, together[:, None, :] * stacked.T[None])
