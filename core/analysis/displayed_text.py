"""The text on display: the tokens of a typed text, or a window or a random passage of a given text.

Among several passages, the one with the most distinct tokens is displayed: a row of dashes or blanks shows nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np
from jaxtyping import Integer

from core.config.language import gettext as _, ngettext, sentences
from core.models.params import Ids
from core.text.corpus import Corpus, Stream
from core.text.randomness import Purpose, generator
from core.text.tokenizer import EOS, Tokenizer, clean, split

MOST_STEPS = 40  # time steps in one drawing
LONGEST = 100_000  # characters of a pasted text that are read
CHOICE = 8  # first windows of a text, of which the most varied is displayed first
SEARCHED = 20_000  # tokens at the beginning of a text that are searched for a prompt
FIRST = 24  # characters at the beginning of a text that may become a prompt
MOST_SYMBOLS = 2000  # symbols of a typed text that are read


def most_varied(tokens: Integer[np.ndarray, " L"], starts: Sequence[int], length: int) -> int:
    """The element of ``starts`` from which ``length`` tokens have the most distinct values; the first of equals."""
    return max(starts, key=lambda start: len(np.unique(tokens[start : start + length])))


def drawn_passage(tokens: Integer[np.ndarray, " L"], length: int, draw: int, among: int) -> Integer[np.ndarray, " P"]:
    """The most varied of ``among`` random passages of ``length`` tokens (seed ``draw``); the whole text if it is shorter."""
    length = min(length, len(tokens))
    starts = generator(draw, Purpose.DISPLAY).integers(len(tokens) - length + 1, size=among).tolist()
    start = most_varied(tokens, starts, length)
    return tokens[start : start + length]


@dataclass(frozen=True, eq=False)
class Reading:
    """A text as T pairs of input and target, (T,) each; ``notices`` has a sentence for each change made to the text."""

    tokens: Ids
    targets: Ids
    notices: tuple[str, ...] = ()


def read_text(text: str, tokenizer: Tokenizer, *, cleaning: str = "keep") -> Reading:
    """Any text as at most ``MOST_STEPS`` pairs: each token, with the next token as its target.

    The text is cleaned as the training text was. Symbols outside the vocabulary become ``<unk>``, or are left out if it has no
    ``<unk>``. ``ValueError`` with a sentence when fewer than two tokens are left: one to read, one to predict.
    """
    text = clean(text[:LONGEST], cleaning)
    missing = set(tokenizer.unknown_symbols(text))
    notices = [missing_sentence(len(missing), tokenizer)] if missing else []
    if missing and tokenizer.unknown is None:
        joint = "" if tokenizer.unit == "char" else " "
        text = joint.join(symbol for symbol in split(text, tokenizer.unit) if symbol not in missing)
    known = tokenizer.encode(text)
    ids = known[: MOST_STEPS + 1]
    if len(ids) < 2:
        raise ValueError(sentences(*notices, _("A step reads one token and predicts the next: at least two are needed.")))
    if len(known) > len(ids):
        notices.append(_("Only the first {most} of {tokens} tokens are drawn.", most=MOST_STEPS, tokens=f"{len(known):,}"))
    return Reading(ids[:-1], ids[1:], tuple(notices))


def read_window(stream: Stream, T: int, number: int = 0) -> Reading:
    """A window of T tokens of a text, or the whole of a shorter one. Number 0 is the most varied of the first ``CHOICE`` windows;
    higher numbers are the windows after it, starting again at the beginning of the text after the last."""
    T = min(T, len(stream))
    starts = range(0, len(stream) - T + 1, T)
    first = starts.index(most_varied(stream.inputs, starts[:CHOICE], T))
    start = starts[(first + number) % len(starts)]
    return Reading(stream.inputs[start : start + T], stream.targets[start : start + T])


def missing_sentence(many: int, tokenizer: Tokenizer) -> str:
    """The notice that ``many`` symbols are not in the vocabulary; an empty string for 0."""
    if not many:
        return ""
    if tokenizer.unknown is not None:
        return ngettext(
            "{many} symbol of this text is not in the vocabulary and became <unk>.",
            "{many} symbols of this text are not in the vocabulary and became <unk>.",
            many,
            many=f"{many:,}",
        )
    return ngettext(
        "{many} symbol of this text is not in the vocabulary and left out.",
        "{many} symbols of this text are not in the vocabulary and left out.",
        many,
        many=f"{many:,}",
    )


class Piece(NamedTuple):
    """One symbol, ``text[start:end]``, and its token ``id``: None for a symbol outside a vocabulary without ``<unk>``."""

    start: int
    end: int
    symbol: str
    id: int | None


@dataclass(frozen=True, eq=False)
class Typed:
    """A typed text, symbol by symbol; ``missing`` are the distinct symbols outside the vocabulary.

    ``whole``: whether all of the text was read.
    """

    text: str
    pieces: tuple[Piece, ...]
    missing: tuple[str, ...]
    whole: bool

    @property
    def known(self) -> list[Piece]:
        """The pieces that have a token."""
        return [piece for piece in self.pieces if piece.id is not None]

    def tokens(self) -> Integer[np.ndarray, " L"]:
        """The tokens of the pieces that have one, (L,)."""
        return np.array([piece.id for piece in self.known], np.int32)


def read_typed(text: str, tokenizer: Tokenizer, *, cleaning: str = "keep", most: int = MOST_SYMBOLS) -> Typed:
    """Split a text into symbols as training does: the first ``most`` symbols, each with its position in the text.

    Symbols outside the vocabulary become ``<unk>``, or have no token if the vocabulary has no ``<unk>``.
    """
    text = clean(text, "keep")
    ids = {symbol: i for i, symbol in enumerate(tokenizer.vocab)}
    symbols = _symbols(text, tokenizer.unit, cleaning)
    pieces = tuple(Piece(*place, symbol, ids.get(symbol, tokenizer.unknown)) for *place, symbol in islice(symbols, most))
    missing = dict.fromkeys(piece.symbol for piece in pieces if piece.symbol not in ids)
    return Typed(text, pieces, tuple(missing), whole=next(symbols, None) is None)


def _symbols(text: str, unit: str, cleaning: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and symbol of every symbol of a text, which is cleaned as training texts are."""
    if cleaning == "letters":
        pattern = "[A-Za-z]+" if unit == "word" else "[A-Za-z]|[^A-Za-z]+"
    else:
        pattern = r"\n|\S+" if unit == "word" else r"[\s\S]"
    for match in re.finditer(pattern, text):
        symbol = match[0]
        if cleaning == "letters":
            symbol = symbol.lower() if symbol.isalpha() and symbol.isascii() else " "
        yield match.start(), match.end(), EOS if unit == "word" and symbol == "\n" else symbol


def prompt_for(corpus: Corpus, usual: Sequence[str] = ()) -> str:
    """A prompt in the words of a text: the first of ``usual`` that its beginning has, or else its first words."""
    beginning = corpus.tokenizer.decode(corpus.train.inputs[:SEARCHED])
    first = " ".join(beginning[:FIRST].split()[:2])
    return next((words for words in usual if words in beginning), first or beginning[:1])
