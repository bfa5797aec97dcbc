"""How the tokens of a text are shown and called: blanks that can be seen, long ones cut to their room."""

import unicodedata

from core.config.language import gettext as _
from core.config.language import lazy_gettext
from core.figures.parts.numbers import count
from core.text.corpus import Corpus
from core.text.tokenizer import EOS

CHARACTER = 0.6  # width of a character of the code font, in its size
ALONE = {" ": "␣", "\n": "↵", "\t": "→", "\u00a0": "␣"}  # how a blank is shown in a box of its own
RUNNING = {" ": "·", EOS: "↵"}  # and in a running text
UNSEEN = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0")  # which Python takes for something to be seen
JOINERS = "\u200c\u200d"  # of the letters or pictures of one word
COMBINING = "◌"  # what a mark that needs a letter below it stands on
LONGEST = 24  # characters of a word in a sentence
KIND = {"char": lazy_gettext("character"), "word": lazy_gettext("word")}
SYMBOL = lazy_gettext("symbol")  # of a generated language


def visible(symbol: str) -> str:
    """A symbol as it can be seen: blanks, line ends and marks that would otherwise be invisible or sit on their neighbour."""
    if symbol in ALONE:
        return ALONE[symbol]
    kept = JOINERS if len(symbol) > 1 else ""
    shown = "".join(letter if letter in kept or _is_seen(letter) else f"U+{ord(letter):04X}" for letter in symbol)
    return COMBINING + shown if _is_seen(symbol[0]) and unicodedata.category(symbol[0]).startswith("M") else shown


def _is_seen(character: str) -> bool:
    return character.isprintable() and character not in UNSEEN


def fitted(symbol: str, room: float, font: int) -> str:
    """A symbol cut to ``room`` px, with an ellipsis where there is room for one."""
    shown, most = visible(symbol), max(int(room / (CHARACTER * font)), 1)
    if len(shown) <= most:
        return shown
    return shown[: most - 1] + "…" if most > 2 else shown[:most]


def seen(symbol: str) -> str:
    """A symbol as it can be seen in a running text."""
    return RUNNING.get(symbol) or visible(symbol)


def brief(symbol: str) -> str:
    """A symbol that can be seen, not too long for a sentence."""
    return seen(symbol) if len(symbol) <= LONGEST else seen(symbol[: LONGEST - 1]) + "…"


def written(symbol: str) -> str:
    """A symbol as it stands in a written text: a line end breaks the line."""
    return "\n" if symbol == EOS else symbol


def kind_of(corpus: Corpus) -> str:
    """What one token of this text is called: character, word, or symbol of a generated language."""
    return KIND[corpus.tokenizer.unit] if corpus.is_text and corpus.floor is None else SYMBOL


def kinds(corpus: Corpus) -> str:
    """The whole vocabulary in words: "103 characters"."""
    return _("{n} {kind}s", n=count(corpus.tokenizer.size), kind=_(kind_of(corpus)))
