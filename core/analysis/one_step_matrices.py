"""One step of the network, forward and backward, with matrices small enough to display every number.

All results of the network come from ``core.models.rnn``: the rows of X are the embeddings of N symbols, so a network that
reads these symbols has X as its input. From a gradient of the reader's own, ``one_step_back`` writes the same equations out.
Sources: D2L 8.4.2 (equation 8.4.5); Deep Learning from Scratch 2, 5.3.1.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from core.analysis.unrolled import pre_activations
from core.config.language import lazy_gettext
from core.models.layers import activation_named, input_layer_back
from core.models.params import Params
from core.models.rnn import Trace, backward, forward

WIDTH_OF_W_HH = 0.7  # standard deviation: large enough to be visible, small enough not to saturate every unit
OTHERS = 3  # symbols of the vocabulary in addition to the N that are read
WIDTH_OF_W_HQ = 3.0  # standard deviation: large enough for gradients that are visible with two decimals
Shape = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class StepMatrices:
    """The operands of one step: N rows of D inputs, N states of H units, the weights and the bias."""

    X: Float[np.ndarray, "N D"]
    W_xh: Float[np.ndarray, "D H"]
    H: Float[np.ndarray, "N H"]
    W_hh: Float[np.ndarray, "H H"]
    b: Float[np.ndarray, "1 H"]


def draw_matrices(
    N: int, D: int, H: int, rng: np.random.Generator, *, decimals: int = 1, activation: str = "tanh"
) -> StepMatrices:
    """Random matrices rounded to ``decimals``, so that a sum can be checked by hand. States lie in the range of phi."""
    X, W_xh, h, W_hh, b = (rng.standard_normal(shape) for shape in ((N, D), (D, H), (N, H), (H, H), (1, H)))
    states = 0.95 * activation_named(activation).value(h)
    return StepMatrices(*(np.round(x, decimals) for x in (X, W_xh, states, WIDTH_OF_W_HH * W_hh, b)))


LETTERS_OF = {"X": "ND", "W_xh": "DH", "H": "NH", "W_hh": "HH", "b": "1H"}  # of the matrices of a step
LARGEST_SIZE = 6  # rows and columns whose numbers can all be shown
NOT_SQUARE = lazy_gettext("This is {rows} × {columns}; the matrix of the state is square: H rows and H columns.")
NOT_ONE_ROW = lazy_gettext("This has {rows} rows; a bias has one.")
TOO_LARGE = lazy_gettext("This is {rows} × {columns}; a matrix here has at most {most} rows and {most} columns.")


def with_matrix(m: StepMatrices, name: str, values: Float[np.ndarray, "A B"], others: StepMatrices) -> StepMatrices:
    """The matrices with one of them replaced. Those whose shape no longer fits are cut, and filled up from ``others``, whose
    sizes are LARGEST_SIZE. ``ValueError`` with the reason if the shape is none of that matrix."""
    size = {"rows": len(values), "columns": values.shape[1]}
    if max(values.shape) > LARGEST_SIZE:
        raise ValueError(lazy_gettext(TOO_LARGE, **size, most=LARGEST_SIZE))
    if name == "W_hh" and values.shape[0] != values.shape[1]:
        raise ValueError(lazy_gettext(NOT_SQUARE, **size))
    if name == "b" and len(values) != 1:
        raise ValueError(lazy_gettext(NOT_ONE_ROW, rows=len(values)))
    (N, D), H = m.X.shape, m.W_hh.shape[0]
    sizes = {"N": N, "D": D, "H": H, "1": 1} | dict(zip(LETTERS_OF[name], values.shape, strict=True))
    fitted = {
        other: _fitted(getattr(m, other), getattr(others, other), [sizes[one] for one in LETTERS_OF[other]])
        for other in LETTERS_OF
    }
    return StepMatrices(**fitted | {name: values})


def _fitted(values: np.ndarray, others: np.ndarray, shape: Sequence[int]) -> np.ndarray:
    """The values cut to a shape, with numbers of ``others`` where they do not reach."""
    fitted = np.array(others[: shape[0], : shape[1]])
    kept = tuple(slice(min(size, other)) for size, other in zip(values.shape, shape, strict=True))
    fitted[kept] = values[kept]
    return fitted


def network_of(m: StepMatrices, others: int = 0) -> Params:
    """The network whose input for symbol n is row n of X; its output layer, for N + ``others`` symbols, is zero."""
    (N, D), H = m.X.shape, m.W_hh.shape[0]
    params = Params.zeros(N + others, H, D, dtype=np.float64)
    params.W_emb[:N], params.W_xh[...], params.W_hh[...], params.b_h[...] = m.X, m.W_xh, m.W_hh, m.b[0]
    return params


def one_step(m: StepMatrices, params: Params, activation: str = "tanh") -> Trace:
    """Run one step from the states ``m.H`` on a batch of all N symbols, one row each."""
    return forward(params, np.arange(len(m.X))[None], m.H, activation=activation)


@dataclass(frozen=True, eq=False)
class TwoWays:
    """``two_products`` = X W_xh + H W_hh, and ``one_product`` = [X, H] [W_xh; W_hh] = ``concatenated stacked``.

    ``addends[n, j, k]`` is the k-th of the K = D + H addends of cell (n, j).
    """

    concatenated: Float[np.ndarray, "N K"]
    stacked: Float[np.ndarray, "K H"]
    two_products: Float[np.ndarray, "N H"]
    one_product: Float[np.ndarray, "N H"]
    addends: Float[np.ndarray, "N H K"]

    @property
    def difference(self) -> float:
        """The largest absolute difference between ``two_products`` and ``one_product``."""
        return float(np.abs(self.two_products - self.one_product).max())


def two_ways(m: StepMatrices) -> TwoWays:
    """The network's pre-activation without bias: as the sum of two products, and as one product (D2L 8.4.2)."""
    concatenated, stacked = np.concatenate([m.X, m.H], axis=1), np.concatenate([m.W_xh, m.W_hh])
    two_products = pre_activations(one_step(m, network_of(replace(m, b=np.zeros_like(m.b)))))[0]
    return TwoWays(concatenated, stacked, two_products, concatenated @ stacked, concatenated[:, None, :] * stacked.T[None])


@dataclass(frozen=True, eq=False)
class BothOrders:
    """Two words in both orders: the vector of each word, and the results of three ways to combine the vectors.

    The mean is CBOW's hidden layer, which loses the order of its words (Deep Learning from Scratch 2, 5.1).
    """

    vectors: Float[np.ndarray, "2 D"]
    mean: Float[np.ndarray, "2 D"]
    joined: Float[np.ndarray, "2 W"]
    states: Float[np.ndarray, "2 H"]


def in_both_orders(m: StepMatrices, first: int, second: int, activation: str = "tanh") -> BothOrders:
    """Combine two words: row 0 of each result has ``first`` before ``second``, row 1 the reverse order. States start at zero."""
    tokens = np.array([[first, second], [second, first]])  # symmetric: rows and columns are the two orders
    words = m.X[tokens]  # (2 orders, 2 words, D)
    states = forward(network_of(m), tokens, activation=activation).h[-1]
    return BothOrders(vectors=words[0], mean=words.mean(axis=1), joined=words.reshape(2, -1), states=states)


def difference(rows: Float[np.ndarray, "2 W"]) -> float:
    """The largest difference between two rows."""
    return float(np.abs(rows[0] - rows[1]).max())


def weights_before_the_hidden_layer(D: int, H: int, words: int) -> dict[str, int]:
    """The number of weights that read ``words`` word vectors of width D: their mean, concatenated, and one after the other."""
    return {"mean": D * H, "joined": words * D * H, "state": D * H + H * H}


@dataclass(frozen=True, eq=False)
class StepBack:
    """All values of one step forward and backward; ``h_next``, ``dh_prev`` and ``dt`` are names of the second source.

    ``from_memory + from_input + bias = a``, and ``h_next = phi(a)``; all rows of ``bias`` are equal. ``dh_next`` is the
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


def one_step_back(
    m: StepMatrices, rng: np.random.Generator, activation: str = "tanh", dh_next: Float[np.ndarray, "N H"] | None = None
) -> StepBack:
    """Run ``core.models.rnn.backward`` over one step, from the loss of random targets through a random output layer; or the same
    equations from a gradient ``dh_next`` of the reader's own."""
    N, params = len(m.X), network_of(m, OTHERS)
    params.W_hq[...] = WIDTH_OF_W_HQ * rng.standard_normal(params.W_hq.shape)
    trace = one_step(m, params, activation)
    if dh_next is None:
        g = backward(trace, rng.integers(0, N + OTHERS, (1, N)))
        dh_next, dt, dh_prev, dparams = g.dh[1], g.da[1], g.dh0, g.dparams
    else:
        dt, dparams = dh_next * trace.slope[1], Params.zeros(N + OTHERS, m.W_hh.shape[0], m.X.shape[1], dtype=np.float64)
        dh_prev = dt @ m.W_hh.T
        np.dot(m.H.T, dt, out=dparams.W_hh)
        input_layer_back(params, trace.tokens, dt[None], dparams)
    return StepBack(
        activation=activation,
        from_memory=m.H @ m.W_hh,
        from_input=m.X @ m.W_xh,
        bias=np.tile(m.b, (N, 1)),
        a=pre_activations(trace)[0],
        h_next=trace.h[1],
        slope=trace.slope[1],
        dh_next=dh_next,
        dt=dt,
        db=dparams.b_h,
        dW_hh=dparams.W_hh,
        dh_prev=dh_prev,
        dW_xh=dparams.W_xh,
        dx=dparams.W_emb[:N],
    )


def slope_curve(reach: float, activation: str = "tanh") -> tuple[Float[np.ndarray, " P"], Float[np.ndarray, " P"]]:
    """phi' between -reach and reach: the pre-activations, and the derivative at each."""
    a, phi = np.linspace(-reach, reach, 121), activation_named(activation)
    return a, phi.slope(phi.value(a), np.empty_like(a))


def ways_to_multiply(one: Shape, other: Shape, wanted: Shape) -> int:
    """How many of the eight products of two matrices (in either order, each transposed or not) have the shape ``wanted``."""
    orders = ((one, other), (other, one))
    products = [(a, b) for x, y in orders for a in (x, x[::-1]) for b in (y, y[::-1])]
    return sum(a[1] == b[0] and (a[0], b[1]) == wanted for a, b in products)
