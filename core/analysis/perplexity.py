"""How surprised a model is by a text: by each token, by all of it, and by what might come next.

Everything here starts from -ln p of each token in nats, as ``core.models.sampling`` gives it.
Source: D2L 8.4.4 (perplexity; the continuations of "It is raining"); Deep Learning from Scratch 2, 5.5.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Integer

from core.config.language import gettext as _
from core.models.loss import perplexity, softmax
from core.models.sampling import NextToken, score, score_pairs
from core.text.tokenizer import EOS, Tokenizer, clean

MOST = 2000  # symbols of a typed text that are read


class Piece(NamedTuple):
    """``text[start:end]`` is one symbol; ``id`` its token, None where the vocabulary has no place for it: it is left out."""

    start: int
    end: int
    symbol: str
    id: int | None


@dataclass(frozen=True, eq=False)
class Typed:
    """A text somebody typed, symbol by symbol; ``missing`` are the different symbols that the vocabulary lacks.

    ``whole``: all of the text was read.
    """

    text: str
    pieces: tuple[Piece, ...]
    missing: tuple[str, ...]
    whole: bool

    def tokens(self, start: int = 0) -> Integer[np.ndarray, " L"]:
        """The tokens of the pieces that have one, (L,), from this place in the text on."""
        return np.array([piece.id for piece in self.pieces if piece.id is not None and piece.start >= start], np.int32)


def read_typed(text: str, tokenizer: Tokenizer, *, cleaning: str = "keep", most: int = MOST) -> Typed:
    """The first ``most`` symbols that training would have made of a text, each with its place in the text.

    Symbols outside the vocabulary become ``<unk>``, or have no token where there is none.
    """
    text = clean(text, "keep")
    ids = {symbol: i for i, symbol in enumerate(tokenizer.vocab)}
    symbols = _symbols(text, tokenizer.unit, cleaning)
    pieces = tuple(Piece(*place, symbol, ids.get(symbol, tokenizer.unknown)) for *place, symbol in islice(symbols, most))
    missing = dict.fromkeys(piece.symbol for piece in pieces if piece.symbol not in ids)
    return Typed(text, pieces, tuple(missing), whole=next(symbols, None) is None)


def _symbols(text: str, unit: str, cleaning: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and symbol of every symbol of a text, cleaned as training texts are."""
    if cleaning == "letters":
        pattern = "[A-Za-z]+" if unit == "word" else "[A-Za-z]|[^A-Za-z]+"
    else:
        pattern = r"\n|\S+" if unit == "word" else r"[\s\S]"
    for match in re.finditer(pattern, text):
        said = match[0]
        if cleaning == "letters":
            said = said.lower() if said.isalpha() and said.isascii() else " "
        yield match.start(), match.end(), EOS if unit == "word" and said == "\n" else said


@dataclass(frozen=True, eq=False)
class Surprise:
    """-ln p of every token after the first, (L,), in nats: inf for one held impossible, nan where numbers are not finite."""

    nats: Float[np.ndarray, " L"]

    @property
    def total(self) -> float:
        return float(self.nats.sum())

    @property
    def perplexity(self) -> float:
        return perplexity(self.nats)

    @property
    def running(self) -> Float[np.ndarray, " L"]:
        """Perplexity of the text up to each token."""
        with np.errstate(all="ignore"):
            return np.exp(np.cumsum(self.nats) / np.arange(1, len(self.nats) + 1))

    @property
    def shares(self) -> Float[np.ndarray, " L"]:
        """What part of the total each token has; nan for one that is as infinite as the total, or where the total is zero."""
        with np.errstate(all="ignore"):
            return self.nats / self.nats.sum()


def surprise(model: NextToken, ids: Integer[np.ndarray, " tokens"]) -> Surprise:
    """How surprised a model is by each token after the first. ``ValueError`` with a sentence for fewer than two tokens."""
    if len(ids) < 2:
        raise ValueError(_("A model reads one token and predicts the next: at least two are needed."))
    return Surprise(score(model, ids))


def distribution(model: NextToken, before: Integer[np.ndarray, " t"]) -> tuple[Float[np.ndarray, " V"], Float[np.ndarray, " V"]]:
    """Scores (logits, or ln p) and probabilities of the token after ``before`` (at least one token), float64."""
    _, state = score_pairs(model, before[:-1], before[1:])
    _, scores = model.step(state, int(before[-1]))
    scores = scores.astype(np.float64)
    return scores, softmax(scores)


def entropy(p: Float[np.ndarray, " V"]) -> float:
    """The mean of -ln p over what may come, in nats."""
    with np.errstate(all="ignore"):
        return float(-np.sum(np.where(p == 0, 0, p * np.log(p))))


@dataclass(frozen=True)
class Continuation:
    """One way to go on. ``nats`` is -ln p of all of it given the prompt, over ``count`` tokens.

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
    """How surprising each of ``texts`` is after ``prompt`` and a blank.

    ``ValueError`` with a sentence for a prompt of which nothing is in the vocabulary.
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
