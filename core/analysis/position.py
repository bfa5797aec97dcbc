"""The value of context: perplexity by the number of tokens read in the window, for counting models and the network.

Every window begins with a zero state, so a model at position t (from 1) has read exactly t tokens of the text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from core.models.loss import cross_entropy, perplexity
from core.models.ngram import NEVER, NgramModel, fit, tokens_of
from core.models.params import Params
from core.models.rnn import forward
from core.text.corpus import Stream

AT_ONCE = 1 << 19  # logits computed at a time: about 20 ms


@dataclass(frozen=True)
class Bin:
    """Neighbouring positions that are averaged together: late positions differ little, and their mean has less noise."""

    first: int
    last: int

    @property
    def name(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"


def position_bins(T: int) -> list[Bin]:
    """Positions 1 to T in bins: each of the first four alone, then bins about a quarter of their first position wide."""
    bins, first = [], 1
    while first <= T:
        last = min(T, first + (0 if first <= 4 else first // 4))
        bins.append(Bin(first, last))
        first = last + 1
    return bins


def window_starts(length: int, T: int, most: int) -> Int[np.ndarray, " W"]:
    """Where at most ``most`` windows of T pairs begin, spread evenly over a stream of ``length`` pairs; none if it is shorter."""
    free = length - T + 1
    return np.unique(np.linspace(0, free - 1, min(most, free)).astype(np.int64)) if free > 0 else np.zeros(0, np.int64)


def network_by_position(
    params: Params, stream: Stream, starts: Int[np.ndarray, " W"], T: int, *, activation: str = "tanh"
) -> Iterator[Float[np.ndarray, "T some"]]:
    """-ln p of every target of the windows, from zero states, in nats; some windows at a time (together (T, W))."""
    rows = max(AT_ONCE // (T * params.vocab_size), 1)
    for first in range(0, len(starts), rows):
        places = starts[first : first + rows] + np.arange(T)[:, None]
        with np.errstate(all="ignore"):
            trace = forward(params, stream.inputs[places], activation=activation)
            losses = cross_entropy(trace.logits, stream.targets[places])
        yield losses


def counting_by_position(
    model: NgramModel, stream: Stream, starts: Int[np.ndarray, " W"], T: int
) -> list[Float[np.ndarray, "T W"]]:
    """-ln p of every target of the windows in nats, by order from 0; at position t an n-gram reads min(t, n - 1) tokens."""
    places = starts + np.arange(T)[:, None]
    orders = [-np.log(p)[places] for p in model.probabilities(stream)]
    context = np.arange(1, T + 1)
    return [np.stack([orders[min(order, t + 1)][t - 1] for t in context]) for order in range(len(orders))]


def perplexities(losses: Float[np.ndarray, "T W"], bins: Sequence[Bin]) -> list[float]:
    """Perplexity of the tokens in each bin of positions."""
    return [perplexity(losses[each.first - 1 : each.last]) for each in bins]


@dataclass(frozen=True)
class Table:
    """A bigram table without smoothing: p(w | h) = c(h, w) / c(h). ``perplexity`` is inf if a pair was never counted."""

    perplexity: float
    stored: int


def plain_bigrams(train: Stream, judged: Stream, vocab_size: int) -> Table:
    """Count pairs of tokens in ``train``, and compute the perplexity of ``judged``. ``ValueError`` if either has no pairs, or
    ``train`` is not a text."""
    if not len(train) or not len(judged):
        raise ValueError("There are no pairs to count, or none to judge.")
    tokens, pairs = fit(tokens_of(train), vocab_size, max_order=2).grams
    contexts = tokens.find(judged.inputs)
    indices = np.where(contexts == NEVER, NEVER, pairs.find(contexts * vocab_size + judged.targets))
    with np.errstate(divide="ignore"):
        nats = -np.log(np.where(indices == NEVER, 0.0, pairs.counts[indices] / pairs.totals[contexts]))
    return Table(perplexity(nats), len(pairs.codes))
