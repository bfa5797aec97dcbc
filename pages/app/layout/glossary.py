"""At the foot of every page, on request: all symbols and words of the screen, and their names in other languages."""

import streamlit as st

from core.config.language import gettext as _
from core.config.language import lazy_gettext
from core.content.notation import FIRST, GLOSSARY, LANGUAGES, SECOND, TITLES, Word, named
from core.figures.parts.style import escape

NAME = lazy_gettext("Words and symbols")


def glossary(notation: str) -> None:
    """A table that is sent to the browser only once it is asked for."""
    panel = st.expander(_(NAME), key="glossary", on_change="rerun", type="compact")
    if panel.open:
        panel.html(f'<div class="page-glossary" tabindex="0" role="region" aria-label="{_(NAME)}">{_table(notation)}</div>')


def _table(notation: str) -> str:
    named = "".join(f'<th scope="col" lang="{code}">{name}</th>' for code, name in LANGUAGES.items())
    heads = "".join(f'<th scope="col">{head}</th>' for head in (_("symbol"), _("word"), _("what it means"))) + named
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(_row(word, notation) for word in GLOSSARY)}</tbody></table>"


def _row(word: Word, notation: str) -> str:
    others = "".join(f'<td lang="{code}">{escape(term)}</td>' for code, term in word.translated.items())
    means = f'<th scope="row">{escape(_(word.english))}</th><td>{escape(named(_(word.means), notation))}</td>'
    return f"<tr><td>{_symbols(word.symbol, notation)}</td>{means}{others}</tr>"


def _symbols(symbol: str, notation: str) -> str:
    """The symbol, and below it what the other source calls it, where that is something else."""
    other = SECOND if notation == FIRST else FIRST
    mine, theirs = named(symbol, notation), named(symbol, other)
    beside = "" if mine == theirs else f' <small title="{TITLES[other]}">{_printed(theirs)}</small>'
    return f"{_printed(mine)}{beside}"


def _printed(symbol: str) -> str:
    """A letter and its index; a name of code as it is."""
    letter, low, index = symbol.partition("_")
    return f"{escape(letter)}<sub>{escape(index)}</sub>" if len(letter) == 1 and low else escape(symbol)
