"""Text generation, token by token: for each token the most probable tokens at that step and the entropy of their distribution.
And how much of a text a network has learnt by heart.

Source: Deep Learning from Scratch 2, 7.1 (generation by sampling); Ackley, Hinton and Sejnowski 1985 (temperature).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Integer

from core.analysis.perplexity import entropy
from core.analysis.unrolled import most_probable
from core.models.params import Ids, Params
from core.models.rnn import forward
from core.models.sampling import NextToken, Writer, next_distribution

TOP_TOKENS = 5  # most probable tokens stored for each step


class Step(NamedTuple):
    """One written token; its probability ``p``, the ``best`` tokens as (id, p) and the entropy (nats) are at ``temperature``."""

    token: int
    p: float
    best: tuple[tuple[int, float], ...]
    entropy: float
    temperature: float


class Sample(Writer):
    """A text that a model generates token by token, and its ``steps``. Raises ``ValueError`` as :class:`Writer` does."""

    def __init__(self, model: NextToken, prompt: Sequence[int] | Ids, seed: int) -> None:
        super().__init__(model, prompt, np.random.default_rng(seed))
        self.seed = seed
        self.steps: list[Step] = []

    def write(self, temperature: float = 1.0) -> int:
        """Draw the next token (at temperature 0 the most probable one), read it, append its step and return it."""
        p = next_distribution(self.scores, temperature)
        token = super().write(temperature)  # replaces the scores
        best = tuple((i, float(p[i])) for i in most_probable(p, TOP_TOKENS))
        self.steps.append(Step(token, float(p[token]), best, entropy(p), temperature))
        return token


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


class Copy(NamedTuple):
    """A passage of ``length`` tokens that begins at token ``at`` of a written text and at token ``of`` of another one."""

    at: int
    of: int
    length: int


def longest_copy(written: Integer[np.ndarray, " written"], text: Integer[np.ndarray, " text"]) -> Copy:
    """The longest passage of ``written`` that stands in ``text``, the first of several; of length 0 if there is none."""
    ends, best = np.zeros(len(text) + 1, np.int64), Copy(0, 0, 0)
    for i, token in enumerate(written):
        ends[1:] = np.where(text == token, ends[:-1] + 1, 0)  # the length of the common passage that ends here
        longest = int(ends.argmax())
        if ends[longest] > best.length:
            length = int(ends[longest])
            best = Copy(i + 1 - length, longest - length, length)
    return best


def guessed(params: Params, inputs: Ids, targets: Ids, *, activation: str = "tanh") -> Bool[np.ndarray, " T"]:
    """Whether each target is the token that is most probable after the inputs up to it, read from a state of zeros."""
    return forward(params, inputs[:, None], activation=activation).logits[:, 0].argmax(axis=-1) == targets
