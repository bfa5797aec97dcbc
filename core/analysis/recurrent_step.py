"""What a hidden state adds, in numbers small enough to be read.

One step of the network with every matrix written out: the sum of two products beside one product of what is put together
(D2L 8.4.2, equation 8.4.5), and the same step backward (Deep Learning from Scratch 2, 5.3.1).

Everything that the network computes comes from ``core.models.rnn``: the rows of X are the embeddings of N symbols, so that
the network which reads these symbols reads X.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Integer

from core.models import mlp
from core.models.loss import softmax
from core.models.mlp import Mlp
from core.models.ngram import NEVER, fit
from core.models.params import Params, count, shapes_of
from core.models.rnn import ACTIVATIONS, Trace, backward, forward
from core.text.corpus import Stream

WIDTH_OF_W_HH = 0.7  # standard deviation of its numbers: large enough to be seen, small enough not to saturate every unit


@dataclass(frozen=True, eq=False)
class StepMatrices:
    """All that goes into one step: N rows of D inputs, N states of H units, and the weights."""

    X: Float[np.ndarray, "N D"]
    W_xh: Float[np.ndarray, "D H"]
    H: Float[np.ndarray, "N H"]
    W_hh: Float[np.ndarray, "H H"]


def draw_matrices(N: int, D: int, H: int, rng: np.random.Generator, *, decimals: int = 1) -> StepMatrices:
    """Random matrices rounded to ``decimals``, so that a sum can be checked by hand. States lie in (-1, 1), as tanh's do."""
    X, W_xh, h, W_hh = (rng.standard_normal(shape) for shape in ((N, D), (D, H), (N, H), (H, H)))
    return StepMatrices(*(np.round(x, decimals) for x in (X, W_xh, 0.95 * np.tanh(h), WIDTH_OF_W_HH * W_hh)))


def network_of(m: StepMatrices) -> tuple[Params, Trace]:
    """The network that reads row n of X when it reads symbol n, and its one step from the states H. Biases are zero."""
    (N, D), H = m.X.shape, m.W_hh.shape[0]
    params = Params.zeros(N, H, D, np.float64)
    params.W_emb[...], params.W_xh[...], params.W_hh[...] = m.X, m.W_xh, m.W_hh
    return params, forward(params, np.arange(N)[None], m.H)


@dataclass(frozen=True, eq=False)
class TwoWays:
    """X W_xh + H W_hh, and [X, H] [W_xh; W_hh]; ``addends[n, j, k]`` is the k-th of the K = D + H addends of cell (n, j)."""

    two: Float[np.ndarray, "N H"]
    one: Float[np.ndarray, "N H"]
    addends: Float[np.ndarray, "N H K"]

    @property
    def difference(self) -> float:
        """The largest of all cells, in absolute value."""
        return float(np.abs(self.two - self.one).max())


def two_ways(m: StepMatrices) -> TwoWays:
    """The sum of two products, as the network computes its pre-activation, and the one product that equals it (D2L 8.4.2)."""
    together, stacked = np.concatenate([m.X, m.H], axis=1), np.concatenate([m.W_xh, m.W_hh])
    return TwoWays(network_of(m)[1].a[0], together @ stacked, together[:, None, :] * stacked.T[None])


LONGEST = 10  # n of the longest n-gram that is looked at


@dataclass(frozen=True)
class Growth:
    """Numbers to be learnt to look at n - 1 tokens and predict one, for n = 1, 2, ... in order.

    ``table`` is V^n, one number for every n-gram. ``window`` is a network with one hidden layer over the n - 1 tokens side by
    side (Bengio et al. 2003, equation 1, without its direct connections from input to output); at n = 2 it is the network
    without a state. ``rnn`` is the recurrent network: the same for any n.
    """

    table: list[int]
    window: list[int]
    rnn: int


def growth(V: int, H: int, D: int = 0, longest: int = LONGEST) -> Growth:
    """Parameters for a vocabulary of V, H hidden units and input vectors D wide (0: one-hot), n = 1 to ``longest``."""
    shared = count(V, H, D) - H * H - (D or V) * H  # embedding, biases and output layer: all three networks' same
    return Growth(
        table=[V**n for n in range(1, longest + 1)],
        window=[shared + (n - 1) * (D or V) * H for n in range(1, longest + 1)],
        rnn=count(V, H, D),
    )


def never_seen(train: Stream, judged: Stream, vocab_size: int, longest: int = LONGEST) -> list[float]:
    """Which share of the n-grams of a judged text training never saw, every occurrence counted, for n = 1 to ``longest``.

    nan where the judged text is shorter than n. Both streams must be texts: targets are the inputs moved by one.
    """
    tokens = _text(judged)
    contexts, shares = np.zeros(len(tokens), np.int64), []
    for before, grams in enumerate(fit(_text(train), vocab_size, max_order=longest).grams):
        numbers = np.where(contexts == NEVER, NEVER, grams.find(contexts * vocab_size + tokens))
        whole = numbers[before:]  # up to there, no n-gram ends inside the text
        shares.append(float(np.mean(whole == NEVER)) if len(whole) else float("nan"))
        contexts = np.concatenate([[NEVER], numbers[:-1]])
    return shares


def _text(stream: Stream) -> Integer[np.ndarray, " L"]:
    return np.concatenate([stream.inputs[:1], stream.targets])


@dataclass(frozen=True)
class Numbers:
    """How many numbers a network learns, by matrix, and how many it keeps for the way back, by T."""

    learnt: dict[str, tuple[int, ...]]  # name -> shape
    total: int
    kept: dict[int, int]  # T -> T N H states


def numbers(N: int, D: int, H: int, V: int, steps: tuple[int, ...] = (1, 10, 100)) -> Numbers:
    """What is learnt does not depend on T; the states kept for backpropagation do. D = 0 is a one-hot input."""
    return Numbers(shapes_of(V, H, D), count(V, H, D), {T: T * N * H for T in steps})


@dataclass(frozen=True, eq=False)
class AfterText:
    """What a network makes of a text of T tokens: its hidden numbers at each, and what it expects after the last."""

    h: Float[np.ndarray, "T H"]
    p: Float[np.ndarray, " V"]


def read_with_state(params: Params, tokens: Integer[np.ndarray, " T"], activation: str) -> AfterText:
    """The recurrent network, from a zero state."""
    trace = forward(params, tokens[:, None], activation=activation)
    return AfterText(trace.h[1:, 0], _expected(trace.logits))


def read_without_state(params: Mlp, tokens: Integer[np.ndarray, " T"], activation: str) -> AfterText:
    """The network without a hidden state."""
    trace = mlp.forward(params, tokens[:, None], activation=activation)
    return AfterText(trace.h[:, 0], _expected(trace.logits))


def _expected(logits: Float[np.ndarray, "T 1 V"]) -> Float[np.ndarray, " V"]:
    """The distribution of the token after the last, float64; nan where the network's numbers are no longer finite."""
    return softmax(logits[-1, 0].astype(np.float64))


def swapped(tokens: Integer[np.ndarray, " T"], i: int, j: int) -> Integer[np.ndarray, " T"]:
    """The tokens with the i-th and the j-th exchanged."""
    other = tokens.copy()
    other[[i, j]] = tokens[[j, i]]
    return other


def moved(before: AfterText, after: AfterText) -> float:
    """How much probability changed its place between two predictions: half the sum of all changes, between 0 and 1."""
    return float(np.abs(before.p - after.p).sum() / 2)


def share_of_memory(params: Params, tokens: Integer[np.ndarray, " T"], activation: str) -> float:
    """How much of the last pre-activation comes from the state: sum of |h W_hh| over that plus sum of |x W_xh|, 0 to 1."""
    trace = forward(params, tokens[:, None], activation=activation)
    memory = trace.h[-2, 0] @ params.W_hh
    from_input = trace.a[-1, 0] - memory - params.b_h
    sizes = np.abs([memory, from_input]).sum(axis=1, dtype=np.float64)
    return float(sizes[0] / sizes.sum()) if sizes.sum() > 0 else 0.0


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


OTHERS = 3  # symbols that can come next beside the N that are read
WIDTH_OF_W_HQ = 3.0  # standard deviation: an error at the output large enough to be seen with two decimals


def step_back(m: StepMatrices, rng: np.random.Generator) -> StepBack:
    """The core's own backward pass over one step: the loss of random targets, through a random output layer."""
    (N, D), H = m.X.shape, m.W_hh.shape[0]
    params = Params.zeros(N + OTHERS, H, D, np.float64)
    params.W_emb[:N], params.W_xh[...], params.W_hh[...] = m.X, m.W_xh, m.W_hh
    params.W_hq[...] = WIDTH_OF_W_HQ * rng.standard_normal(params.W_hq.shape)
    trace = forward(params, np.arange(N)[None], m.H)
    g = backward(params, trace, rng.integers(0, N + OTHERS, (1, N)))
    return StepBack(
        a=trace.a[0],
        h_next=trace.h[1],
        slope=_slope(trace.h[1]),
        dh_next=g.h[0],
        dt=g.a[0],
        db=g.params.b_h,
        dW_hh=g.params.W_hh,
        dh_prev=g.h0,
        dW_xh=g.params.W_xh,
        dx=g.params.W_emb[:N],
    )


def slope_curve(reach: float, points: int = 121) -> tuple[Float[np.ndarray, " P"], Float[np.ndarray, " P"]]:
    """tanh' from -reach to reach: pre-activations, and 1 - tanh^2 = 1 / cosh^2 of them."""
    a = np.linspace(-reach, reach, points)
    return a, _slope(np.tanh(a))


def _slope(h: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
    out = np.empty_like(h)
    ACTIVATIONS["tanh"].slope(h, out)
    return out


@dataclass(frozen=True, eq=False)
class Order:
    """Two words in one order and in the other: their vectors, and what three ways to put them together make of them."""

    vectors: Float[np.ndarray, "2 D"]
    summed: Float[np.ndarray, "2 D"]
    joined: Float[np.ndarray, "2 W"]
    states: Float[np.ndarray, "2 H"]


def in_both_orders(m: StepMatrices, first: int, second: int) -> Order:
    """Row 0 of each result: word ``first``, then ``second``; row 1: the other way round. The states begin at zero."""
    params, _ = network_of(m)
    one, other = m.X[first], m.X[second]
    tokens = np.array([[first, second], [second, first]])
    return Order(
        vectors=np.stack([one, other]),
        summed=np.stack([one + other, other + one]),
        joined=np.stack([np.concatenate([one, other]), np.concatenate([other, one])]),
        states=forward(params, tokens).h[-1],
    )


def difference(rows: Float[np.ndarray, "2 W"]) -> float:
    """The largest difference between two rows."""
    return float(np.abs(rows[0] - rows[1]).max())


def weights_before_the_hidden_layer(D: int, H: int, words: int) -> dict[str, int]:
    """How many weights read ``words`` word vectors of width D: as their sum, side by side, and one after the other."""
    return {"sum": D * H, "joined": words * D * H, "state": D * H + H * H}
