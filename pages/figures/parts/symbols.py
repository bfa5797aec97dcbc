"""Tokens as they are displayed: visible blanks, shortened symbols, and the names of their units."""

import unicodedata

from core.config.language import gettext as _, lazy_gettext
from core.text.corpus import Corpus
from core.text.tokenizer import EOS
from pages.figures.parts.numbers import count

CHARACTER = 0.6  # em: the width of a character of the code font
BLANK_SIGNS = {" ": "␣", "\n": "↵", "\t": "→", "\u00a0": "␣"}  # how a blank is displayed in a box of its own
INLINE_SIGNS = {" ": "·", EOS: "↵"}  # the same in a running text
INVISIBLE = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0")  # although ``str.isprintable`` is true
JOINERS = "\u200c\u200d"  # invisible, between the letters of a word or the parts of an emoji
COMBINING = "◌"  # the base of a combining mark that has no letter before it
LONGEST = 24  # characters of a symbol in a sentence, at most
KIND = {"char": lazy_gettext("character"), "word": lazy_gettext("word")}
SYMBOL = lazy_gettext("symbol")  # the unit of a generated language


def visible(symbol: str) -> str:
    """A symbol in visible characters: signs for blanks and line ends, code points, and a base for a combining mark."""
    if symbol in BLANK_SIGNS:
        return BLANK_SIGNS[symbol]
    kept = JOINERS if len(symbol) > 1 else ""
    shown = "".join(letter if letter in kept or _is_visible(letter) else f"U+{ord(letter):04X}" for letter in symbol)
    return COMBINING + shown if _is_visible(symbol[0]) and unicodedata.category(symbol[0]).startswith("M") else shown


def _is_visible(character: str) -> bool:
    return character.isprintable() and character not in INVISIBLE


def fitted(symbol: str, room: float, font: int) -> str:
    """A symbol in visible characters, shortened to ``room`` px, with an ellipsis if more than two characters fit."""
    shown, most = visible(symbol), max(int(room / (CHARACTER * font)), 1)
    if len(shown) <= most:
        return shown
    return shown[: most - 1] + "…" if most > 2 else shown[:most]


def visible_inline(symbol: str) -> str:
    """A symbol in visible characters, for a running text."""
    return INLINE_SIGNS.get(symbol) or visible(symbol)


def shortened(symbol: str) -> str:
    """A symbol in visible characters, shortened for a sentence."""
    return visible_inline(symbol) if len(symbol) <= LONGEST else visible_inline(symbol[: LONGEST - 1]) + "…"


def as_output(symbol: str) -> str:
    """A symbol as part of a generated text: the end-of-line token is a line break."""
    return "\n" if symbol == EOS else symbol


def kind_of(corpus: Corpus) -> str:
    """The name of a token of this text: character, word, or symbol (of a generated language)."""
    return KIND[corpus.tokenizer.unit] if corpus.is_text and corpus.floor is None else SYMBOL


def kinds(corpus: Corpus) -> str:
    """The size of the vocabulary with its unit: "103 characters"."""
    return _("{n} {kind}s", n=count(corpus.tokenizer.size), kind=_(kind_of(corpus)))
