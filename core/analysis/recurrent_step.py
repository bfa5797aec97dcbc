"""Networks with and without a state: predictions after a text, numbers of parameters, and n-grams never seen in training."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Float, Integer

from core.analysis.unrolled import unroll
from core.models.loss import softmax
from core.models.ngram import NEVER, fit, tokens_of
from core.models.params import Ids, count
from core.models.rnn import Params, forward
from core.text.corpus import Stream

LONGEST = 10  # n of the longest n-gram


@dataclass(frozen=True, eq=False)
class AfterText:
    """A network that has read T tokens: the hidden units after each, and the probabilities of the next token."""

    h: Float[np.ndarray, "T H"]
    p: Float[np.ndarray, " V"]


def after_text(params: Params, tokens: Ids, activation: str) -> AfterText:
    """Read a text from a zero state. ``p`` is float64, and nan where the network's numbers are no longer finite."""
    trace = forward(params, tokens[:, None], activation=activation)
    return AfterText(trace.h[1:, 0], softmax(trace.logits[-1, 0].astype(np.float64)))


def swapped(tokens: Ids, i: int, j: int) -> Ids:
    """The tokens with the i-th and the j-th exchanged."""
    other = tokens.copy()
    other[[i, j]] = tokens[[j, i]]
    return other


def probability_moved(before: AfterText, after: AfterText) -> float:
    """The total variation distance of two predictions: half the sum of absolute changes, between 0 and 1."""
    return float(np.abs(before.p - after.p).sum() / 2)


def share_of_memory(params: Params, tokens: Ids, activation: str) -> float:
    """The share of the state in the last pre-activation, 0 to 1: see ``shares`` in ``core.analysis.unrolled``."""
    return float(np.nan_to_num(unroll(params, tokens, tokens, activation=activation).shares[-1, 1]))


def first_window(stream: Stream, N: int, T: int, most: int) -> Integer[np.ndarray, "rows T"]:
    """The first T tokens of the first ``most`` of N rows; rows begin L // N pairs apart, as in ``core.text.token_stream``.

    If the text has fewer than N T pairs, rows overlap; training would refuse such a text.
    """
    L = len(stream)
    return stream.inputs[(np.arange(min(N, most))[:, None] * (L // N) + np.arange(T)) % L]


@dataclass(frozen=True)
class Growth:
    """Numbers of parameters of three models that predict a token from the n - 1 before it, for n = 1, 2, ... in order.

    ``table`` is V^n, one number for every n-gram. ``window`` is a network with one hidden layer over the n - 1 tokens side by
    side (Bengio et al. 2003, equation 1, without its direct connections from input to output); at n = 2 it is the network
    without a state. ``rnn`` is the recurrent network: the same for any n.
    """

    table: list[int]
    window: list[int]
    rnn: int


def growth(V: int, H: int, D: int = 0) -> Growth:
    """Numbers of parameters for a vocabulary of V, H hidden units and input vectors D wide (0: one-hot), n = 1 to ``LONGEST``."""
    shared = count(V, H, D) - H * H - (D or V) * H  # embedding, biases and output layer: the same in both networks
    return Growth(
        table=[V**n for n in range(1, LONGEST + 1)],
        window=[shared + (n - 1) * (D or V) * H for n in range(1, LONGEST + 1)],
        rnn=count(V, H, D),
    )


def two_gram_factors(train: Stream, tokens: Ids) -> list[tuple[int, int]]:
    """Counts (occurrences, out of how many) whose quotients multiply to P(x_1) P(x_2 | x_1) ... P(x_T | x_(T-1)), D2L 8.3.

    The first quotient is out of all inputs, the others out of those equal to the preceding token. ``train`` must be a text.
    """
    first = int(np.sum(train.inputs == tokens[0])), len(train)
    after = [(train.inputs == a, train.targets == b) for a, b in pairwise(tokens)]
    return [first, *((int(np.sum(is_first & is_second)), int(np.sum(is_first))) for is_first, is_second in after)]


def never_seen(train: Stream, judged: Stream, vocab_size: int, longest: int = LONGEST) -> list[float]:
    """The share of the n-grams of ``judged`` that are not in ``train``, every occurrence counted, for n = 1 to ``longest``.

    nan where the judged text is shorter than n. Both streams must be texts: targets are the inputs moved by one.
    """
    shares = []
    for before, (_, indices) in enumerate(fit(tokens_of(train), vocab_size, max_order=longest).indices(tokens_of(judged))):
        whole = indices[before:]  # n-grams that end earlier would begin before the text
        shares.append(float(np.mean(whole == NEVER)) if len(whole) else float("nan"))
    return shares
