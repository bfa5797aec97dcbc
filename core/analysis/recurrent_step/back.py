"""One step backward with its numbers (Deep Learning from Scratch 2, 5.3.1)."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.analysis.branches import from_future
from core.analysis.recurrent_step.matrices import StepMatrices
from core.analysis.unrolled import pre_activations
from core.models.activations import ACTIVATIONS
from core.models.params import Params
from core.models.rnn import backward, forward

OTHERS = 3  # symbols that can come next beside the N that are read
WIDTH_OF_W_HQ = 3.0  # standard deviation: an error at the output large enough to be seen with two decimals


@dataclass(frozen=True, eq=False)
class StepBack:
    """One step backward, in the second source's names: what comes in, and all that comes out of it.

    ``dh_next`` is the derivative of the loss with respect to the state after the step, ``dt`` with respect to the
    pre-activation ``a`` (the second source's t). ``slope`` is tanh'(a) = 1 - h_next^2.
    """

    a: Float[np.ndarray, "N H"]
    h_next: Float[np.ndarray, "N H"]
    slope: Float[np.ndarray, "N H"]
    dh_next: Float[np.ndarray, "N H"]
    dt: Float[np.ndarray, "N H"]
    db: Float[np.ndarray, " H"]
    dW_hh: Float[np.ndarray, "H H"]
    dh_prev: Float[np.ndarray, "N H"]
    dW_xh: Float[np.ndarray, "D H"]
    dx: Float[np.ndarray, "N D"]


def one_step_back(m: StepMatrices, rng: np.random.Generator) -> StepBack:
    """The core's own backward pass over one step: the loss of random targets, through a random output layer."""
    (N, D), H = m.X.shape, m.W_hh.shape[0]
    params = Params.zeros(N + OTHERS, H, D, np.float64)
    params.W_emb[:N], params.W_xh[...], params.W_hh[...] = m.X, m.W_xh, m.W_hh
    params.W_hq[...] = WIDTH_OF_W_HQ * rng.standard_normal(params.W_hq.shape)
    trace = forward(params, np.arange(N)[None], m.H)
    g = backward(params, trace, rng.integers(0, N + OTHERS, (1, N)))
    return StepBack(
        a=pre_activations(trace)[0],
        h_next=trace.h[1],
        slope=trace.slope[0],
        dh_next=g.h[0],
        dt=g.a[0],
        db=g.params.b_h,
        dW_hh=g.params.W_hh,
        dh_prev=from_future(params, g)[0],
        dW_xh=g.params.W_xh,
        dx=g.params.W_emb[:N],
    )


def slope_curve(reach: float, points: int = 121) -> tuple[Float[np.ndarray, " P"], Float[np.ndarray, " P"]]:
    """tanh' from -reach to reach: pre-activations, and 1 - tanh^2 = 1 / cosh^2 of them."""
    a = np.linspace(-reach, reach, points)
    return a, ACTIVATIONS["tanh"].slope(np.tanh(a), np.empty_like(a))
