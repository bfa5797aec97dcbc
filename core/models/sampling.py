"""One contract for every next-token model, and what can be done with any of them: generate, and score a text.

The same functions serve a counting table and a recurrent network (an idea of makemore's).
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float, Integer

from core.models.loss import softmax
from core.models.rnn import Params, step


@runtime_checkable
class NextToken(Protocol):
    """A model of the next token. A state is whatever the model remembers of the tokens so far; it is never changed in place."""

    @property
    def vocab_size(self) -> int: ...

    def start(self) -> Any:
        """The state before any token."""

    def step(self, state: Any, token: int) -> tuple[Any, Float[np.ndarray, " V"]]:
        """The state after one more token, and the scores (logits, or log probabilities) of the one that follows."""


class RnnReader:
    """The recurrent network as a next-token model. Reads ``params`` as they are at each step."""

    def __init__(self, params: Params, activation: str = "tanh") -> None:
        self.params = params
        self.activation = activation

    @property
    def vocab_size(self) -> int:
        return self.params.vocab_size

    def start(self) -> Float[np.ndarray, "1 H"]:
        return np.zeros((1, self.params.hidden_size), self.params.dtype)

    def step(self, state: Float[np.ndarray, "1 H"], token: int) -> tuple[Float[np.ndarray, "1 H"], Float[np.ndarray, " V"]]:
        h, logits = step(self.params, np.array([token]), state, activation=self.activation)
        return h, logits[0]


def generate(
    model: NextToken,
    *,
    prompt: Sequence[int] | Integer[np.ndarray, " P"],
    length: int,
    temperature: float = 1.0,
    rng: np.random.Generator,
) -> Integer[np.ndarray, " length"]:
    """The ``length`` tokens that the model writes after ``prompt`` (at least one token, not part of the result).

    Temperature 0 always takes the most probable token. ``ValueError`` for an empty prompt, a token outside the vocabulary,
    or a model whose scores are no longer numbers.
    """
    state, logits = _read(model, prompt)
    ids = np.empty(length, np.int64)
    for i in range(length):
        ids[i] = token = _draw(next_distribution(logits, temperature), rng)
        if i + 1 < length:
            state, logits = model.step(state, token)
    return ids


def next_distribution(logits: Float[np.ndarray, " V"], temperature: float = 1.0) -> Float[np.ndarray, " V"]:
    """Probabilities of the next token, float64: softmax(logits / temperature).

    Temperature 0 puts everything on the highest score (the first of equals). A score of -inf is probability zero.
    ``ValueError`` for a negative temperature, and for scores that are nan, +inf, or all -inf.
    """
    scores = apply_temperature(logits, temperature)
    return softmax(scores)


def apply_temperature(logits: Float[np.ndarray, " V"], temperature: float) -> Float[np.ndarray, " V"]:
    """Scores as float64, the highest moved to 0 and all divided by the temperature."""
    if not temperature >= 0:
        raise ValueError(f"A temperature is zero or more, not {temperature}.")
    scores = logits.astype(np.float64)
    highest = scores.max()
    if not np.isfinite(highest):  # nan if any score is
        raise ValueError("The network's scores are no longer finite numbers, so it cannot write. Go back, or start again.")
    scores -= highest
    if temperature == 0:
        first = int(scores.argmax())
        scores[:] = -np.inf
        scores[first] = 0
        return scores
    with np.errstate(over="ignore"):
        return scores / temperature


def score(model: NextToken, tokens: Sequence[int] | Integer[np.ndarray, " L"]) -> Float[np.ndarray, " scored"]:
    """How surprising each token after the first is, given all before it: -log p in nats, float64."""
    state, nats = model.start(), np.empty(max(len(tokens) - 1, 0))
    for i, (token, following) in enumerate(pairwise(tokens)):
        state, logits = model.step(state, int(token))
        with np.errstate(divide="ignore"):
            nats[i] = -np.log(next_distribution(logits)[following])
    return nats


def _read(model: NextToken, prompt: Sequence[int] | np.ndarray) -> tuple[Any, np.ndarray]:
    """The state and the scores after the prompt."""
    if len(prompt) == 0:
        raise ValueError("A model continues a text; give it at least one token to begin with.")
    if min(prompt) < 0 or max(prompt) >= model.vocab_size:
        raise ValueError(f"The prompt has a token outside the vocabulary of {model.vocab_size}.")
    state = model.start()
    for token in prompt:
        state, logits = model.step(state, int(token))
    return state, logits


def _draw(p: Float[np.ndarray, " V"], rng: np.random.Generator) -> int:
    cumulative = p.cumsum()
    return min(int(cumulative.searchsorted(rng.random() * cumulative[-1], side="right")), len(p) - 1)
