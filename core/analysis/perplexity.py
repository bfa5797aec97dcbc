"""The surprise of a model at a text: at each token, at the whole text, and at possible continuations.

All of it is computed from -ln p of each token in nats, as ``core.models.sampling`` returns it. The probability of a text falls
with every token, its mean loss does not; perplexity is the geometric mean of the numbers of choices 1/p:

    P(x_1 ... x_L) = P(x_1) P(x_2 | x_1) ... P(x_L | x_1 ... x_(L-1)),    perplexity = exp((1/L) sum of -ln p)

Source: D2L 8.4.4 (equation 8.4.8, where editions before 1.0 say "harmonic mean"; the continuations of "It is raining"); Deep
Learning from Scratch 2, 5.1.2 (the product rule) and 5.5.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Integer

from core.analysis.displayed_text import read_typed
from core.config.language import gettext as _
from core.models.loss import perplexity, perplexity_of, softmax
from core.models.params import Ids
from core.models.sampling import NextToken, read_prompt, score
from core.text.tokenizer import Tokenizer

LN_10 = float(np.log(10))


@dataclass(frozen=True, eq=False)
class Surprise:
    """-ln p of the L scored tokens of a text, in nats: inf for a token of probability 0, nan where numbers are not finite."""

    nats: Float[np.ndarray, " L"]

    @property
    def p(self) -> Float[np.ndarray, " L"]:
        return np.exp(-self.nats)

    @property
    def perplexity(self) -> float:
        return perplexity(self.nats)

    @property
    def log10_likelihood(self) -> Float[np.ndarray, " L"]:
        """log10 of the probability of the text up to each token, never increasing."""
        return -np.cumsum(self.nats, dtype=np.float64) / LN_10

    @property
    def mean_nats(self) -> Float[np.ndarray, " L"]:
        """-ln p per token of the text up to each token."""
        with np.errstate(all="ignore"):
            return np.cumsum(self.nats, dtype=np.float64) / np.arange(1, len(self.nats) + 1)

    @property
    def running(self) -> Float[np.ndarray, " L"]:
        """Perplexity of the text up to each token."""
        with np.errstate(all="ignore"):
            return np.exp(self.mean_nats)

    @property
    def shares(self) -> Float[np.ndarray, " L"]:
        """The share of each token in the total; nan for a token of infinite -ln p, and where the total is zero."""
        with np.errstate(all="ignore"):
            return self.nats / self.nats.sum()


def surprise(model: NextToken, ids: Ids) -> Surprise:
    """The surprise of a model at each token after the first. ``ValueError`` with a sentence for fewer than two tokens."""
    if len(ids) < 2:
        raise ValueError(_("A model reads one token and predicts the next: at least two are needed."))
    return Surprise(score(model, ids))


def distribution(model: NextToken, before: Ids) -> tuple[Float[np.ndarray, " V"], Float[np.ndarray, " V"]]:
    """Scores (logits, or ln p) and probabilities of the token after ``before`` (at least one token), float64."""
    scores = read_prompt(model, before)[1].astype(np.float64)
    return scores, softmax(scores)


def entropy(p: Float[np.ndarray, " V"]) -> float:
    """The mean of -ln p over the distribution, in nats."""
    with np.errstate(all="ignore"):
        return float(-np.sum(np.where(p == 0, 0, p * np.log(p))))


@dataclass(frozen=True)
class Continuation:
    """A continuation of a prompt. ``nats`` is the sum of -ln p of its ``count`` tokens, given the prompt.

    A text with a symbol outside the vocabulary (``missing``), or without any symbol, has no probability: nan over 0 tokens.
    """

    text: str
    nats: float
    count: int
    missing: tuple[str, ...]

    @property
    def per_token(self) -> float:
        return self.nats / self.count if self.count else math.nan


def continuations(
    model: NextToken, tokenizer: Tokenizer, prompt: str, texts: Sequence[str], *, cleaning: str = "keep"
) -> list[Continuation]:
    """The surprise of a model at each of ``texts`` after ``prompt`` and a blank.

    ``ValueError`` with a sentence for a prompt without a token: no symbol is in the vocabulary, which has no ``<unk>``.
    """
    before = read_typed(prompt, tokenizer, cleaning=cleaning)
    if not len(before.tokens()):
        raise ValueError(_("There is nothing to continue: no symbol of this beginning is in the vocabulary."))
    return [_continuation(model, tokenizer, before.text, text, cleaning) for text in texts]


def _continuation(model: NextToken, tokenizer: Tokenizer, prompt: str, text: str, cleaning: str) -> Continuation:
    whole = read_typed(f"{prompt} {text}", tokenizer, cleaning=cleaning)
    own = [piece.symbol for piece in whole.pieces if piece.start >= len(prompt)]
    missing = tuple(symbol for symbol in whole.missing if symbol in own)
    if missing or not "".join(own).strip():
        return Continuation(text, math.nan, 0, missing)
    return Continuation(text, float(score(model, whole.tokens())[-len(own) :].sum()), len(own), ())


@dataclass(frozen=True)
class Means:
    """The numbers of choices 1/p of some tokens, and three means of them; ``geometric`` is their perplexity.

    The geometric and the arithmetic mean are infinite where a token was given probability 0.
    """

    choices: tuple[float, ...]
    harmonic: float
    geometric: float
    arithmetic: float


def means_of_choices(p: Float[np.ndarray, " N"]) -> Means:
    """The means of 1/p over N tokens that were given the probabilities ``p``, each in [0, 1]; ``ValueError`` otherwise."""
    if not len(p) or not ((p >= 0) & (p <= 1)).all():
        raise ValueError("A mean of choices needs the probability of at least one token, each between 0 and 1.")
    with np.errstate(divide="ignore"):
        choices, nats = 1 / p, -np.log(p)
        return Means(tuple(choices.tolist()), float(1 / p.mean()), perplexity(nats), float(choices.mean()))


def one_hot_terms(y: Float[np.ndarray, " V"], target: int) -> Float[np.ndarray, " V"]:
    """t_k ln y_k of every symbol k, with the one-hot target t: all but one are zero (0 ln 0 counts as 0), in nats."""
    terms = np.zeros_like(y)
    with np.errstate(divide="ignore"):
        terms[target] = np.log(y[target])
    return terms


@dataclass(frozen=True)
class Averages:
    """Three averages of the losses of a text, as exponentials. Only ``perplexity`` is the perplexity of the text.

    ``mean_of_exps`` averages the exponentials, ``over_batches`` takes exp of the mean of the batches' mean losses, as if all
    batches had the same size.
    """

    perplexity: float
    mean_of_exps: float
    over_batches: float


def averages(losses: Float[np.ndarray, " L"], sizes: Sequence[int] | Integer[np.ndarray, " B"]) -> Averages:
    """Average ``losses`` (nats, in reading order), which come in batches of ``sizes`` tokens (at least 1 each, L in total)."""
    sizes = np.asarray(sizes, np.int64)
    if not len(sizes) or sizes.min() < 1 or sizes.sum() != len(losses):
        raise ValueError("Batches have at least one token each, and together all tokens.")
    nats = losses.astype(np.float64)
    with np.errstate(all="ignore"):
        of_batches = np.add.reduceat(nats, np.concatenate([[0], np.cumsum(sizes)[:-1]])) / sizes
        exps = float(np.exp(nats).mean())
    return Averages(perplexity(nats), exps, perplexity_of(float(of_batches.mean())))


def lines(tokens: Integer[np.ndarray, " L"], line_end: int | None, piece_length: int) -> Integer[np.ndarray, " B"]:
    """Batch sizes if each line of a text, with its end, is a batch; without ``line_end``, pieces of ``piece_length`` tokens."""
    ends = np.arange(piece_length, len(tokens), piece_length) if line_end is None else np.flatnonzero(tokens == line_end) + 1
    borders = np.concatenate([[0], ends[(ends > 0) & (ends < len(tokens))], [len(tokens)]])
    return np.diff(borders)
