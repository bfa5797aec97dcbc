"""The glossary of a page: a tooltip for every term, and a table of all terms at the foot of the page.

Terms in sentences are marked; the ``explain`` component shows their entry on hover and focus. Text in quotation marks, which is a
reader's text or the name of a control, is never marked.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from core.config.language import ENGLISH, gettext as _, language, lazy_gettext
from pages.app.layout.panel import panel
from pages.app.widgets.component_factory import component
from pages.content.notation import (
    FIRST_SOURCE,
    GLOSSARY,
    LANGUAGES,
    SECOND_SOURCE,
    SOURCE_TITLES,
    Word,
    in_formulas,
    in_notation,
    in_sentences,
)
from pages.figures.parts.style import escape

_explain = component(
    "explain",
    {
        "words": list[tuple[str, tuple[str, str, str, list[tuple[str, str]], str]]],  # word: symbol, name, meaning, others, also
        "terms": list[tuple[str, str]],  # text in a sentence, word
        "names": list[tuple[str, str]],  # text in a formula, word; the same for "behind"
        "behind": list[tuple[str, str]],
    },
    events={"open": str},
)
NAME = lazy_gettext("Words and symbols")
QUOTED = re.compile("(“.*”)", re.DOTALL)  # from the first mark to the last one, as a quoted text may contain quotation marks


def explain(notation: str, on_open: Callable[[str], None]) -> None:
    """Send the browser the glossary entries of all terms, with the names of ``notation``. Called by the frame. ``on_open`` opens
    the address of a reference that was clicked."""
    _explain(_scene(notation, language()), on_open=on_open)


@lru_cache(maxsize=16)
def _scene(notation: str, _language: str) -> dict[str, Any]:
    """All entries by their English word, and the texts that refer to them in sentences and formulas."""
    words = [[word.english, _entry(word, notation)] for word in GLOSSARY]
    names, behind = in_formulas(notation)
    return {
        "words": words,
        "terms": list(_terms(notation).items()),
        "names": list(names.items()),
        "behind": list(behind.items()),
    }


def _entry(word: Word, notation: str) -> list[Any]:
    """A word's symbol, its name and meaning in the reader's language, its names in other languages, and its other names."""
    others = list(_others(word.english, word.translated).items())
    also = _("also: {names}", names=word.also) if word.also else ""
    return [in_notation(word.symbol, notation), _(word.english), in_notation(_(word.means), notation), others, also]


def _others(english: str, translated: dict[str, str]) -> dict[str, str]:
    """The names of a word in other languages than the reader's; English comes first."""
    return {code: name for code, name in ({ENGLISH: english} | translated).items() if code.partition("-")[0] != language()}


def _terms(notation: str) -> dict[str, str]:
    """The terms marked in sentences: text in the reader's language -> English word."""
    return {_(text): word for text, word in in_sentences(notation).items()}


def marked(sentence: str, notation: str) -> str:
    """A sentence of the dashboard as escaped HTML, each term marked at its first occurrence."""
    return _marked(sentence, notation, language())


@lru_cache(maxsize=1000)
def _marked(sentence: str, notation: str, code: str) -> str:
    terms, seen = _terms(notation), set()

    def mark(text: str) -> str:
        word = terms[text]
        if word in seen:
            return escape(text)
        seen.add(word)
        return f'<span class="explained" data-word="{escape(word)}">{escape(text)}</span>'

    def unquoted(ours: str) -> str:
        return "".join(mark(text) if i % 2 else escape(text) for i, text in enumerate(_pattern(notation, code).split(ours)))

    return "".join(escape(part) if i % 2 else unquoted(part) for i, part in enumerate(QUOTED.split(sentence)))


@lru_cache(maxsize=16)
def _pattern(notation: str, code: str) -> re.Pattern[str]:
    """Matches whole words in English; in other languages also terms between characters of scripts without blanks."""
    terms = sorted(_terms(notation), key=len, reverse=True)
    flags = 0 if code == ENGLISH else re.ASCII
    return re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, terms))})(?![\w-])", flags)


def glossary(notation: str) -> None:
    """Draw the expander with all words and their names in other languages, sent to the browser when it is opened."""
    box = panel(_(NAME), "glossary")
    if box.open:
        box.html(f'<div class="page-glossary" tabindex="0" role="region" aria-label="{_(NAME)}">{_table(notation)}</div>')


def _table(notation: str) -> str:
    named = "".join(f'<th scope="col" lang="{code}">{name}</th>' for code, name in _others("English", LANGUAGES).items())
    heads = (
        "".join(f'<th scope="col">{head}</th>' for head in (_("symbol"), _("word"), _("what it means"), _("also called"))) + named
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(_row(word, notation) for word in GLOSSARY)}</tbody></table>"


def _row(word: Word, notation: str) -> str:
    others = "".join(f'<td lang="{code}">{escape(term)}</td>' for code, term in _others(word.english, word.translated).items())
    cells = (in_notation(_(word.means), notation), word.also)
    means = f'<th scope="row">{escape(_(word.english))}</th>' + "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return f"<tr><td>{_symbols(word.symbol, notation)}</td>{means}{others}</tr>"


def _symbols(symbol: str, notation: str) -> str:
    """The symbol, and below it the symbol of the other source if it differs."""
    other = SECOND_SOURCE if notation == FIRST_SOURCE else FIRST_SOURCE
    mine, theirs = in_notation(symbol, notation), in_notation(symbol, other)
    beside = "" if mine == theirs else f' <small title="{SOURCE_TITLES[other]}">{_printed(theirs)}</small>'
    return f"{_printed(mine)}{beside}"


def _printed(symbol: str) -> str:
    """A letter with its index as a subscript; a name from code unchanged."""
    letter, low, index = symbol.partition("_")
    return f"{escape(letter)}<sub>{escape(index)}</sub>" if len(letter) == 1 and low else escape(symbol)
