"""Counting models: uniform, and 1- to 5-grams, as baselines for the network's perplexity.

An n-gram model, a Markov model of order n-1, predicts the next token w from the n-1 tokens before it, its context h.
Witten-Bell smoothing mixes the counts after h with the prediction of the next shorter context h' (h without its oldest
token):

    p_n(w | h) = (c(h, w) + d(h) p_(n-1)(w | h')) / (c(h) + d(h))

c(h, w) counts w after h, c(h) = sum over w of c(h, w), and d(h) is the number of different tokens seen after h: the more
different tokens have followed h, the more probability is left for unseen ones. p_0 = 1/V, and after an h never seen
p_n = p_(n-1). There is no hyperparameter. Source: Witten and Bell 1991 (method C), in the interpolated form of Chen and Goodman
1998, section 2.6.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from jaxtyping import Float, Int, Int32, Integer

from core.config.language import lazy_gettext
from core.models.params import Ids
from core.text.corpus import Stream

ORDER_NAMES = (
    lazy_gettext("uniform"),
    lazy_gettext("unigram"),
    lazy_gettext("bigram"),
    lazy_gettext("trigram"),
    lazy_gettext("4-gram"),
    lazy_gettext("5-gram"),
)
NEVER = -1  # in place of the index of an n-gram that is not in the training text
DENSE = 1 << 22  # number of codes: up to this, or up to the length of the text, a table is faster than sorting


@dataclass(frozen=True, eq=False)
class Grams:
    """All different n-grams of one order seen in training, G of them, as codes h V + w, sorted.

    h is the index of the (n-1)-gram before w among the grams of the order below. So codes stay below G_below V for every
    order. ``totals`` is c(h) and ``kinds`` is d(h), for all G_below contexts.
    """

    codes: Int[np.ndarray, " G"]
    counts: Int[np.ndarray, " G"]
    totals: Int[np.ndarray, " G_below"]
    kinds: Int[np.ndarray, " G_below"]

    def find(self, codes: Int[np.ndarray, " L"]) -> Int[np.ndarray, " L"]:
        """The index of the n-gram with each code, NEVER if it is not in the training text."""
        if not len(self.codes):
            return np.full(len(codes), NEVER)
        places = np.minimum(np.searchsorted(self.codes, codes), len(self.codes) - 1)
        return np.where(self.codes[places] == codes, places, NEVER)

    def mix(
        self, contexts: Int[np.ndarray, " L"], grams: Int[np.ndarray, " L"], shorter: Float[np.ndarray, " L"]
    ) -> Float[np.ndarray, " L"]:
        """p_n from the indices of contexts and n-grams (or NEVER) and from p_(n-1): the formula above."""
        if not len(self.codes):
            return shorter
        total, kinds = (np.where(contexts == NEVER, 0, values[contexts]) for values in (self.totals, self.kinds))
        counted = np.where(grams == NEVER, 0, self.counts[grams])
        weight = total + kinds
        return np.where(weight > 0, (counted + kinds * shorter) / np.maximum(weight, 1), shorter)


@dataclass(frozen=True, eq=False)
class NgramModel:
    """Counts of orders 1 to ``len(grams)``; ``grams[n - 1]`` holds the n-grams."""

    vocab_size: int
    grams: tuple[Grams, ...]

    def probabilities(self, stream: Stream) -> Iterator[Float[np.ndarray, " L"]]:
        """p of each target of a stream, (L,), float64: first by order 0 (uniform), then 1, and so on.

        The context is the ``order`` - 1 tokens before the target, or as many as the stream has there. ``ValueError`` for a
        stream that is not a text: whose targets are not its inputs moved by one.
        """
        tokens = tokens_of(stream)
        p = np.full(len(tokens), 1 / self.vocab_size)
        yield p[1:]
        for grams, (contexts, indices) in zip(self.grams, self.indices(tokens), strict=True):
            p = grams.mix(contexts, indices, p)
            yield p[1:]

    def indices(self, tokens: Integer[np.ndarray, " L"]) -> Iterator[tuple[Int[np.ndarray, " L"], Int[np.ndarray, " L"]]]:
        """For each order from 1: the index of the context of each token, and of the n-gram that ends at the token, or NEVER."""
        contexts = np.zeros(len(tokens), np.int64)
        for grams in self.grams:
            indices = np.where(contexts == NEVER, NEVER, grams.find(contexts * self.vocab_size + tokens))
            yield contexts, indices
            contexts = _as_contexts(indices)

    def losses(self, stream: Stream, known: Int[np.ndarray, " L"] | None = None) -> Iterator[Float[np.ndarray, " L"]]:
        """-ln p of each target of a stream, (L,), in nats, by order 0, 1 and so on.

        ``known`` is how many tokens before each target a model may use (None: all in the stream); an order that needs more
        predicts with a shorter context there. ``ValueError`` for a stream without a pair, or one that is not a text.
        """
        if not len(stream):
            raise ValueError("There is nothing to judge a counting model on: the stream has no pairs.")
        nats = np.zeros(len(stream))
        for order, p in enumerate(self.probabilities(stream)):
            nats = -np.log(p) if known is None else np.where(known >= order - 1, -np.log(p), nats)
            yield nats

    def distribution(self, order: int, context: Integer[np.ndarray, " n"] | Sequence[int]) -> Float[np.ndarray, " V"]:
        """p of every token after ``context`` (ids; the last ``order`` - 1 are used), (V,). ``ValueError`` for an order that was
        not counted."""
        self._check(order)
        V = self.vocab_size
        p, h = np.full(V, 1 / V), 0
        ends = self.indices(np.asarray(context[-order:], np.int64))
        for grams in self.grams[:order]:
            p = grams.mix(np.full(V, h), grams.find(h * V + np.arange(V)), p)
            _, indices = next(ends)
            if not len(indices) or indices[-1] == NEVER:
                break
            h = indices[-1]  # the context of the next order: the n-gram that ends at the last token
        return p

    def parameters(self, order: int) -> int:
        """How many numbers an order stores: one count for each different n-gram in training, of this order and all below."""
        self._check(order)
        return sum(len(grams.counts) for grams in self.grams[:order])

    def _check(self, order: int) -> None:
        if not 0 <= order <= len(self.grams):
            raise ValueError(f"Orders 0 to {len(self.grams)} were counted; {order} was not.")


class NgramReader:
    """One order of the counts as a next-token model (``core.models.sampling``); order 0 is uniform.

    Its state is the context: the last ``order`` - 1 tokens, or fewer at the beginning of a text. Its scores are ln p.
    ``ValueError`` for an order that was not counted.
    """

    def __init__(self, model: NgramModel, order: int) -> None:
        self.model = model
        self.order = order
        model.parameters(order)  # raises ValueError for an order that was not counted

    @property
    def vocab_size(self) -> int:
        return self.model.vocab_size

    def start(self) -> tuple[int, ...]:
        return ()

    def step(self, state: tuple[int, ...], token: int) -> tuple[tuple[int, ...], Float[np.ndarray, " V"]]:
        context = self._last((*state, token))
        return context, np.log(self.model.distribution(self.order, context))

    def read(self, state: tuple[int, ...], inputs: Ids, targets: Ids) -> tuple[tuple[int, ...], Float[np.ndarray, " T"]]:
        past = np.array([*state, *inputs.tolist()], np.int32)
        ahead = np.concatenate([past[1 : len(state) + 1], targets]).astype(np.int32)
        p = next(islice(self.model.probabilities(Stream(past, ahead)), self.order, None))
        return self._last(past[-self.order :].tolist()), -np.log(p[len(state) :])

    def _last(self, past: Sequence[int]) -> tuple[int, ...]:
        return tuple(past[max(len(past) - self.order + 1, 0) :]) if self.order > 1 else ()


@dataclass(frozen=True)
class Baseline:
    """The perplexity and the size of one counting model, to compare the network with.

    ``perplexity`` is on the judged text; ``parameters`` counts the numbers stored, ``table`` those of a full table, V^order.
    """

    name: str
    order: int
    perplexity: float
    parameters: int
    table: int


def fit(ids: Integer[np.ndarray, " L"], vocab_size: int, max_order: int = 5) -> NgramModel:
    """Count the 1- to ``max_order``-grams of a text, (L,) ids in [0, vocab_size); ``ValueError`` for ids out of range."""
    tokens = np.asarray(ids, dtype=np.int64)
    if len(tokens) and not 0 <= tokens.min() <= tokens.max() < vocab_size:
        raise ValueError(f"Token ids lie between 0 and {vocab_size - 1}; {tokens.min()} to {tokens.max()} came.")
    levels, contexts, below = [], np.zeros(len(tokens), np.int64), 1
    for _ in range(max_order):
        whole = contexts != NEVER
        codes, counts, indices = _count_codes(contexts[whole] * vocab_size + tokens[whole], below * vocab_size)
        h = codes // vocab_size
        totals = np.bincount(h, weights=counts, minlength=below).astype(np.int64)  # exact: float64 holds counts up to 2^53
        levels.append(Grams(codes, counts, totals, np.bincount(h, minlength=below)))
        contexts[whole] = indices
        contexts = _as_contexts(contexts)
        below = len(codes)
    return NgramModel(vocab_size, tuple(levels))


def baselines(model: NgramModel, losses: Iterable[Float[np.ndarray, " L"]]) -> tuple[Baseline, ...]:
    """The baseline of each order, from its losses (:meth:`NgramModel.losses`): perplexity = exp(total nats / total tokens)."""
    return tuple(
        Baseline(name, order, math.exp(nats.mean()), model.parameters(order), model.vocab_size**order)
        for order, (name, nats) in enumerate(zip(ORDER_NAMES, losses, strict=True))
    )


def tokens_of(stream: Stream) -> Int32[np.ndarray, " tokens"]:
    """The text of a stream of L pairs: L + 1 tokens (none without pairs)."""
    if not np.array_equal(stream.inputs[1:], stream.targets[:-1]):
        raise ValueError("Counting models need a text: each target must be the next input.")
    return np.concatenate([stream.inputs[:1], stream.targets])


def _as_contexts(indices: Int[np.ndarray, " L"]) -> Int[np.ndarray, " L"]:
    """Shift by one: the n-gram that ends at a token is the context of the next token; the first token has none."""
    return np.concatenate([[NEVER], indices[:-1]])[: len(indices)]


def _count_codes(
    codes: Int[np.ndarray, " L"], end: int
) -> tuple[Int[np.ndarray, " G"], Int[np.ndarray, " G"], Int[np.ndarray, " L"]]:
    """The unique codes in order, their counts, and the index of each code among them. Codes are in [0, end)."""
    if end > max(DENSE, len(codes)):
        kinds, places, counts = np.unique(codes, return_inverse=True, return_counts=True)
        return kinds, counts, places
    tally = np.bincount(codes, minlength=end)
    kinds = np.flatnonzero(tally)
    places = np.cumsum(tally > 0) - 1
    return kinds, tally[kinds], places[codes]
