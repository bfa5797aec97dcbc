"""The interface of next-token models, and functions that generate and score texts with any of them.

The same functions work for counting tables and recurrent networks (an idea from makemore). The model of counting tables is
``core.models.ngram.NgramReader`` (the uniform model is its order 0).
"""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float, Integer

from core.config.language import gettext as _
from core.models.loss import cross_entropy, softmax
from core.models.params import Ids
from core.models.rnn import Params, forward, step

AT_ONCE = 1 << 20  # logits computed at a time, to limit memory


@runtime_checkable
class NextToken(Protocol):
    """A model of the next token. A state is whatever the model remembers of the tokens so far; it is never changed in place."""

    @property
    def vocab_size(self) -> int: ...

    def start(self) -> Any:
        """The state before any token."""

    def step(self, state: Any, token: int) -> tuple[Any, Float[np.ndarray, " V"]]:
        """The state after one more token, and the scores (logits, or log probabilities) of the next token."""

    def read(self, state: Any, inputs: Ids, targets: Ids) -> tuple[Any, Float[np.ndarray, " T"]]:
        """The state after all of ``inputs`` (at least one), and -ln p of the target after each of them, in nats."""


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

    def read(
        self, state: Float[np.ndarray, "1 H"], inputs: Ids, targets: Ids
    ) -> tuple[Float[np.ndarray, "1 H"], Float[np.ndarray, " T"]]:
        trace = forward(self.params, inputs[:, None], state, activation=self.activation)
        return trace.h[-1].copy(), cross_entropy(trace.logits, targets[:, None])[:, 0]


class Writer:
    """Continues a prompt token by token; the temperature may change from one token to the next.

    ``scores`` are the scores of the next token. ``ValueError`` for a prompt without a token, a token outside the
    vocabulary, or a model whose scores are no longer numbers.
    """

    def __init__(self, model: NextToken, prompt: Sequence[int] | Ids, rng: np.random.Generator) -> None:
        self.model = model
        self._rng = rng
        self._state, self.scores = read_prompt(model, prompt)

    def write(self, temperature: float = 1.0) -> int:
        """Draw the next token (at temperature 0 the most probable one), read it and return it."""
        token = int(draw(next_distribution(self.scores, temperature), self._rng)[0])
        self._state, self.scores = self.model.step(self._state, token)
        return token


def generate(
    model: NextToken, *, prompt: Sequence[int] | Ids, length: int, temperature: float = 1.0, rng: np.random.Generator
) -> Integer[np.ndarray, " length"]:
    """The ``length`` tokens that the model writes after ``prompt`` (at least one token, not part of the result).

    Temperature 0 always takes the most probable token. ``ValueError`` for an empty prompt, a token outside the vocabulary,
    or a model whose scores are no longer numbers.
    """
    writer = Writer(model, prompt, rng)
    return np.fromiter((writer.write(temperature) for _ in range(length)), np.int64, length)


def next_distribution(logits: Float[np.ndarray, " V"], temperature: float = 1.0) -> Float[np.ndarray, " V"]:
    """Probabilities of the next token, float64: softmax(logits / temperature).

    Temperature 0 gives the highest score (the first of equals) probability 1. A score of -inf is probability zero.
    ``ValueError`` for a negative temperature, and for scores that are nan, +inf, or all -inf.
    """
    if not temperature >= 0:
        raise ValueError(f"A temperature is zero or more, not {temperature}.")
    scores = logits.astype(np.float64)
    highest = scores.max()
    if not np.isfinite(highest):  # nan if any score is
        raise ValueError(_("The network's scores are no longer finite numbers, so it cannot write. Go back, or start again."))
    if temperature == 0:
        return np.where(np.arange(len(scores)) == scores.argmax(), 1.0, 0.0)
    scores -= highest  # the highest score is 0 now: a low temperature makes the others -inf
    with np.errstate(over="ignore"):
        return softmax(scores / temperature)


def score(model: NextToken, tokens: Sequence[int] | Ids) -> Float[np.ndarray, " scored"]:
    """-ln p of each token after the first, given all before it, in nats, float64, (L - 1,).

    inf for a token of probability 0, nan where the model's numbers are not finite. ``ValueError`` for a token
    outside the vocabulary.
    """
    ids = np.asarray(tokens, np.int64)
    return score_pairs(model, ids[:-1], ids[1:])[0]


def score_pairs(model: NextToken, inputs: Ids, targets: Ids) -> tuple[Float[np.ndarray, " T"], Any]:
    """-ln p of the target after each input, in nats, float64, (T,); and the final state."""
    _check(model, inputs)
    _check(model, targets)
    nats, state = np.empty(len(inputs)), model.start()
    length = max(AT_ONCE // model.vocab_size, 1)
    for start in range(0, len(inputs), length):
        part = slice(start, start + length)
        state, nats[part] = model.read(state, inputs[part], targets[part])
    return nats, state


def read_prompt(model: NextToken, prompt: Sequence[int] | Ids) -> tuple[Any, Float[np.ndarray, " V"]]:
    """The state and the scores after the prompt. ``ValueError`` for a prompt without a token or with one that is unknown."""
    ids = np.asarray(prompt, np.int64)
    if not len(ids):
        raise ValueError("A model continues a text; give it at least one token to begin with.")
    _check(model, ids)
    _, state = score_pairs(model, ids[:-1], ids[1:])
    return model.step(state, int(ids[-1]))


def _check(model: NextToken, ids: Ids) -> None:
    if len(ids) and not 0 <= ids.min() <= ids.max() < model.vocab_size:
        raise ValueError(f"There is a token outside the vocabulary of {model.vocab_size}.")


def draw(p: Float[np.ndarray, " V"], rng: np.random.Generator, count: int = 1) -> Integer[np.ndarray, " count"]:
    """``count`` tokens drawn with probabilities ``p``."""
    cumulative = p.cumsum()
    return np.minimum(cumulative.searchsorted(rng.random(count) * cumulative[-1], side="right"), len(p) - 1)
