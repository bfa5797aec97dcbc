"""One step backward with its numbers (Deep Learning from Scratch 2, 5.3.1)."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.analysis.branches import from_future
from core.analysis.recurrent_step.matrices import StepMatrices, network_of, one_step
from core.analysis.unrolled import pre_activations
from core.models.activations import activation_named
from core.models.rnn import backward

Shape = tuple[int, ...]

OTHERS = 3  # symbols that can come next beside the N that are read
WIDTH_OF_W_HQ = 3.0  # standard deviation: an error at the output large enough to be seen with two decimals


@dataclass(frozen=True, eq=False)
class StepBack:
    """One step forward and backward, in the second source's names: what comes in, and all that comes out of it.

    ``from_memory + from_input + bias = a``, and ``h_next = phi(a)``; every row of ``bias`` is the same one. ``dh_next`` is the
    derivative of the loss with respect to the state after the step, ``dt`` with respect to the pre-activation ``a`` (the
    second source's t). ``slope`` is phi'(a).
    """

    activation: str
    from_memory: Float[np.ndarray, "N H"]
    from_input: Float[np.ndarray, "N H"]
    bias: Float[np.ndarray, "N H"]
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


def one_step_back(m: StepMatrices, rng: np.random.Generator, activation: str = "tanh") -> StepBack:
    """The core's own backward pass over one step: the loss of random targets, through a random output layer."""
    N, params = len(m.X), network_of(m, OTHERS)
    params.W_hq[...] = WIDTH_OF_W_HQ * rng.standard_normal(params.W_hq.shape)
    trace = one_step(m, params, activation)
    g = backward(trace, rng.integers(0, N + OTHERS, (1, N)))
    return StepBack(
        activation=activation,
        from_memory=m.H @ m.W_hh,
        from_input=m.X @ m.W_xh,
        bias=np.tile(m.b, (N, 1)),
        a=pre_activations(trace)[0],
        h_next=trace.h[1],
        slope=trace.slope[0],
        dh_next=g.h[0],
        dt=g.a[0],
        db=g.params.b_h,
        dW_hh=g.params.W_hh,
        dh_prev=from_future(g)[0],
        dW_xh=g.params.W_xh,
        dx=g.params.W_emb[:N],
    )


def slope_curve(
    reach: float, activation: str = "tanh", points: int = 121
) -> tuple[Float[np.ndarray, " P"], Float[np.ndarray, " P"]]:
    """phi' from -reach to reach: pre-activations, and the derivative at each."""
    a, phi = np.linspace(-reach, reach, points), activation_named(activation)
    return a, phi.slope(phi.value(a), np.empty_like(a))


def ways_to_multiply(one: Shape, other: Shape, wanted: Shape) -> int:
    """How many of the eight products of two matrices, either of them first, each as it is or transposed, have that shape."""
    orders = ((one, other), (other, one))
    products = [(a, b) for x, y in orders for a in (x, x[::-1]) for b in (y, y[::-1])]
    return sum(a[1] == b[0] and (a[0], b[1]) == wanted for a, b in products)
