"""One step of the network, forward and backward, with every matrix written out, in numbers small enough to be read.

Everything that the network computes comes from ``core.models.rnn``: the rows of X are the embeddings of N symbols, so that
the network which reads these symbols reads X. Sources: D2L 8.4.2 (equation 8.4.5); Deep Learning from Scratch 2, 5.3.1.
"""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from core.analysis.gradient_flow import from_future
from core.analysis.unrolled import pre_activations
from core.models.layers import activation_named
from core.models.params import Params
from core.models.rnn import Trace, backward, forward

WIDTH_OF_W_HH = 0.7  # standard deviation of its numbers: large enough to be seen, small enough not to saturate every unit
OTHERS = 3  # symbols that can come next beside the N that are read
WIDTH_OF_W_HQ = 3.0  # standard deviation: an error at the output large enough to be seen with two decimals
Shape = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class StepMatrices:
    """All that goes into one step: N rows of D inputs, N states of H units, the weights and the bias."""

    X: Float[np.ndarray, "N D"]
    W_xh: Float[np.ndarray, "D H"]
    H: Float[np.ndarray, "N H"]
    W_hh: Float[np.ndarray, "H H"]
    b: Float[np.ndarray, "1 H"]


def draw_matrices(
    N: int, D: int, H: int, rng: np.random.Generator, *, decimals: int = 1, activation: str = "tanh"
) -> StepMatrices:
    """Random matrices rounded to ``decimals``, so that a sum can be checked by hand. States are such as the activation gives."""
    X, W_xh, h, W_hh, b = (rng.standard_normal(shape) for shape in ((N, D), (D, H), (N, H), (H, H), (1, H)))
    states = 0.95 * activation_named(activation).value(h)
    return StepMatrices(*(np.round(x, decimals) for x in (X, W_xh, states, WIDTH_OF_W_HH * W_hh, b)))


def network_of(m: StepMatrices, others: int = 0) -> Params:
    """The network that reads row n of X when it reads symbol n; its output layer, for N + ``others`` symbols, is zero."""
    (N, D), H = m.X.shape, m.W_hh.shape[0]
    params = Params.zeros(N + others, H, D, dtype=np.float64)
    params.W_emb[:N], params.W_xh[...], params.W_hh[...], params.b_h[...] = m.X, m.W_xh, m.W_hh, m.b[0]
    return params


def one_step(m: StepMatrices, params: Params, activation: str = "tanh") -> Trace:
    """All N symbols read at once, a row of the batch for each, from the states H."""
    return forward(params, np.arange(len(m.X))[None], m.H, activation=activation)


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


@dataclass(frozen=True, eq=False)
class BothOrders:
    """Two words in one order and in the other: their vectors, and what three ways to put them together make of them.

    The mean is CBOW's hidden layer, which loses the order of its words (Deep Learning from Scratch 2, 5.1).
    """

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


def slope_curve(reach: float, activation: str = "tanh") -> tuple[Float[np.ndarray, " P"], Float[np.ndarray, " P"]]:
    """phi' from -reach to reach: pre-activations, and the derivative at each."""
    a, phi = np.linspace(-reach, reach, 121), activation_named(activation)
    return a, phi.slope(phi.value(a), np.empty_like(a))


def ways_to_multiply(one: Shape, other: Shape, wanted: Shape) -> int:
    """How many of the eight products of two matrices, either of them first, each as it is or transposed, have that shape."""
    orders = ((one, other), (other, one))
    products = [(a, b) for x, y in orders for a in (x, x[::-1]) for b in (y, y[::-1])]
    return sum(a[1] == b[0] and (a[0], b[1]) == wanted for a, b in products)
