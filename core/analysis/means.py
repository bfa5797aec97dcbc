"""Perplexity as a mean: which mean of which numbers it is, and which it is not.

A token given probability p is as hard as choosing among 1/p equally likely ones. Perplexity is the geometric mean of these
numbers of choices, exp((1/N) sum of -ln p_n) (D2L equation 8.4.8; editions before 1.0 say "harmonic mean" beside it).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Integer

from core.models.loss import perplexity, perplexity_of


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
    """t_k ln y_k of every symbol k, t the one-hot row of the target: all zero but one (0 ln 0 counts as 0), in nats."""
    terms = np.zeros_like(y)
    with np.errstate(divide="ignore"):
        terms[target] = np.log(y[target])
    return terms


@dataclass(frozen=True)
class Averages:
    """One text's losses averaged in three ways, each said as a perplexity. Only ``perplexity`` is one.

    ``mean_of_exps`` averages the exponentials, ``over_batches`` takes exp of the mean of the batches' mean losses, as if all
    batches were of one size.
    """

    perplexity: float
    mean_of_exps: float
    over_batches: float


def averages(losses: Float[np.ndarray, " L"], sizes: Sequence[int] | Integer[np.ndarray, " B"]) -> Averages:
    """Losses in nats, in reading order, and the sizes of the batches they came in (at least 1 each, L together)."""
    sizes = np.asarray(sizes, np.int64)
    if not len(sizes) or sizes.min() < 1 or sizes.sum() != len(losses):
        raise ValueError("Batches have at least one token each, and together all tokens.")
    nats = losses.astype(np.float64)
    with np.errstate(all="ignore"):
        of_batches = np.add.reduceat(nats, np.concatenate([[0], np.cumsum(sizes)[:-1]])) / sizes
        exps = float(np.exp(nats).mean())
    return Averages(perplexity(nats), exps, perplexity_of(float(of_batches.mean())))


def lines(tokens: Integer[np.ndarray, " L"], line_end: int | None, otherwise: int) -> Integer[np.ndarray, " B"]:
    """Sizes of the batches that a text's lines make, each with its end; without line ends, pieces of ``otherwise`` tokens."""
    ends = np.arange(otherwise, len(tokens), otherwise) if line_end is None else np.flatnonzero(tokens == line_end) + 1
    borders = np.concatenate([[0], ends[(ends > 0) & (ends < len(tokens))], [len(tokens)]])
    return np.diff(borders)
