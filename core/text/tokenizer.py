"""Tokenization: clean a text, split it into symbols (characters or words) and encode them as ids; and decode ids.

By character, every character is a symbol. By word, a text is split at blanks, case kept, and every line end is the symbol
``<eos>``, as in Deep Learning from Scratch 2, 2.4 (its PTB files). Words ``<eos>`` and ``<unk>`` of a text are these symbols.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from reprlib import repr as quoted
from typing import Literal

import numpy as np
from jaxtyping import Int32, Integer

from core.config.language import gettext as _

Unit = Literal["char", "word"]
EOS = "<eos>"  # the end of a line, by word
UNK = "<unk>"  # any symbol outside the vocabulary
PIECE = 1 << 20  # symbols counted or encoded at a time: 20 million of them at once take 1 GB of temporary memory
LINE_END = re.compile("\r\n|[\r\u0085\u2028\u2029]")  # line ends other than \n
NAMED = 5  # symbols named in an error, at most


def clean(text: str, cleaning: str) -> str:
    """Clean a text for training, or a prompt. Line ends become newlines, unpaired surrogates U+FFFD.

    ``letters`` then leaves only a to z in lower case; every run of anything else becomes one space (Dive into Deep Learning,
    8.2).
    """
    text = LINE_END.sub("\n", whole_characters(text))
    return re.sub("[^A-Za-z]+", " ", text).lower() if cleaning == "letters" else text


def whole_characters(text: str) -> str:
    """The text with U+FFFD for every unpaired surrogate, which cannot be encoded as UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def split(text: str, unit: Unit) -> Iterable[str]:
    """The symbols of a text, one by one (a generator by word, the text itself by character)."""
    return text if unit == "char" else _words(text)


def first_tokens(text: str, unit: Unit, count: int) -> str:
    """The beginning of a text that holds its first ``count`` symbols, or all of it if it has fewer."""
    if unit == "char":
        return text[:count]
    ends = (match.end() for match in re.finditer(r"\S+|\n", text))
    return text[: next(islice(ends, count - 1, None), len(text))] if count else ""


def learn_vocabulary(tokens: Iterable[str], cap: int) -> tuple[tuple[str, ...], int]:
    """The symbols of a vocabulary of at most ``cap``: most frequent first, ties in order of first appearance.

    With more than ``cap`` different symbols, the rarest share the last symbol, ``<unk>``. Returns the vocabulary and how many
    different symbols were left out of it.
    """
    counts, rest = Counter(), iter(tokens)
    while piece := list(islice(rest, PIECE)):  # while a list is counted, no other thread runs
        counts.update(piece)
    ranked = [symbol for symbol, _ in counts.most_common()]
    if len(ranked) <= cap:
        return tuple(ranked), 0
    named = [symbol for symbol in ranked if symbol != UNK]
    return (*named[: cap - 1], UNK), len(named) - (cap - 1)


@dataclass(frozen=True)
class Tokenizer:
    """Symbols to ids and back; the id of a symbol is its place in ``vocab``.

    Raises ``ValueError`` for a vocabulary that is empty, names a symbol twice, or has a symbol that :func:`split` cannot return.
    """

    vocab: tuple[str, ...]
    unit: Unit = "char"

    def __post_init__(self) -> None:
        if not self.vocab or len(set(self.vocab)) < len(self.vocab):
            raise ValueError("A vocabulary needs at least one symbol, and each symbol once.")
        for symbol in self.vocab:
            if symbol != UNK and [symbol] != list(split(symbol, self.unit)):
                raise ValueError(f"{quoted(symbol)} is not one {'character' if self.unit == 'char' else 'word'}.")

    @property
    def size(self) -> int:
        """V, the number of symbols."""
        return len(self.vocab)

    @cached_property
    def unknown(self) -> int | None:
        """The id of ``<unk>``, or None when the vocabulary has no such symbol."""
        return self._ids.get(UNK)

    def encode(self, text: str) -> Int32[np.ndarray, " L"]:
        """The ids of a text's symbols, (L,). Symbols outside the vocabulary become ``unknown``.

        Raises ``ValueError`` with a sentence if there are such symbols and the vocabulary has no ``<unk>``.
        """
        ids = self._known(text)
        missing = ids < 0
        if missing.any():
            if self.unknown is None:
                raise ValueError(self._complaint(text))
            ids[missing] = self.unknown
        return ids

    def unknown_symbols(self, text: str) -> tuple[str, ...]:
        """The different symbols of a text that the vocabulary lacks, in order of first appearance."""
        return tuple(symbol for symbol in dict.fromkeys(split(text, self.unit)) if symbol not in self._ids)

    def symbols(self, ids: Integer[np.ndarray, " L"] | Sequence[int]) -> list[str]:
        """The symbol of each id. Raises ``ValueError`` for an id outside [0, V)."""
        ids = np.asarray(ids, dtype=np.int64)
        if ids.size and not 0 <= ids.min() <= ids.max() < self.size:
            raise ValueError(f"Token ids lie between 0 and {self.size - 1}; {ids.min()} to {ids.max()} came.")
        return [self.vocab[i] for i in ids.tolist()]

    def decode(self, ids: Integer[np.ndarray, " L"] | Sequence[int]) -> str:
        """The text of these ids: characters joined, words joined by a blank. Raises as :meth:`symbols` does."""
        return ("" if self.unit == "char" else " ").join(self.symbols(ids))

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {symbol: i for i, symbol in enumerate(self.vocab)}

    @cached_property
    def _by_code(self) -> Int32[np.ndarray, " codes"]:
        """The id of each character by its code point, -1 where there is none; the last entry is for all higher codes."""
        characters = [(ord(symbol), i) for symbol, i in self._ids.items() if symbol != UNK]
        table = np.full(max((code for code, _ in characters), default=0) + 2, -1, np.int32)
        for code, i in characters:
            table[code] = i
        return table

    def _known(self, text: str) -> Int32[np.ndarray, " L"]:
        """The ids of a text's symbols, -1 for those outside the vocabulary."""
        if self.unit == "word":
            return np.fromiter((self._ids.get(word, -1) for word in split(text, "word")), np.int32)
        ids = np.empty(len(text), np.int32)
        for start in range(0, len(text), PIECE):
            piece = slice(start, start + PIECE)
            codes = np.frombuffer(text[piece].encode("utf-32-le", "surrogatepass"), "<u4")
            np.take(self._by_code, codes, mode="clip", out=ids[piece])
        return ids

    def _complaint(self, text: str) -> str:
        # For words the error has their number, not the words: a typed text must not be displayed in an error message.
        missing = self.unknown_symbols(text)
        named = ", ".join(map(repr, missing[:NAMED]))
        if self.unit == "word":
            named = _("{n} of these words", n=f"{len(missing):,}")
        named += " ..." * (len(missing) > NAMED)
        return _("Not in the vocabulary: {symbols}. Write it with symbols of the training text.", symbols=named)


def _words(text: str) -> Iterator[str]:
    *lines, rest = text.split("\n")
    for line in lines:
        yield from line.split()
        yield EOS
    yield from rest.split()
