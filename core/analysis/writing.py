"""Text generation, token by token: for each token the most probable tokens at that step and the entropy of their distribution.

Source: Deep Learning from Scratch 2, 7.1 (generation by sampling); Ackley, Hinton and Sejnowski 1985 (temperature).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Integer

from core.analysis.perplexity import entropy
from core.analysis.unrolled import most_probable
from core.models.sampling import NextToken, Writer, next_distribution

TOP_TOKENS = 5  # most probable tokens stored for each step


class Step(NamedTuple):
    """One written token; its probability ``p``, the ``best`` tokens as (id, p) and the entropy (nats) are at ``temperature``."""

    token: int
    p: float
    best: tuple[tuple[int, float], ...]
    entropy: float
    temperature: float


class Sample:
    """A text that a model generates token by token. Raises ``ValueError`` for an unusable prompt or model
    (:class:`~core.models.sampling.Writer`)."""

    def __init__(self, model: NextToken, prompt: Sequence[int] | Integer[np.ndarray, " P"], seed: int) -> None:
        self.seed = seed
        self.steps: list[Step] = []
        self._writer = Writer(model, prompt, np.random.default_rng(seed))

    @property
    def scores(self) -> Float[np.ndarray, " V"]:
        """The scores of the next token."""
        return self._writer.scores

    def write(self, temperature: float) -> None:
        """Append one token; at temperature 0 the most probable one."""
        p = next_distribution(self._writer.scores, temperature)
        token = self._writer.write(temperature)
        best = tuple((i, float(p[i])) for i in most_probable(p, min(TOP_TOKENS, len(p))))
        self.steps.append(Step(token, float(p[token]), best, entropy(p), temperature))


class TemperatureEffect(NamedTuple):
    """The distribution of the next token at temperature 1 (``plain``) and at another (``scaled``); entropies in nats."""

    plain: Float[np.ndarray, " V"]
    scaled: Float[np.ndarray, " V"]
    plain_entropy: float
    scaled_entropy: float


def temperature_effect(scores: Float[np.ndarray, " V"], temperature: float) -> TemperatureEffect:
    """The effect of a temperature on the distribution of the next token: p^(1/temperature), normalised."""
    plain, scaled = next_distribution(scores), next_distribution(scores, temperature)
    return TemperatureEffect(plain, scaled, entropy(plain), entropy(scaled))
