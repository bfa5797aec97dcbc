"""At the foot of every page, on request: all symbols and words of the screen, and their names in other languages."""

import streamlit as st

from core.figures.parts.style import escape
from core.glossary import GLOSSARY, LANGUAGES, Word


def glossary() -> None:
    """A table that is sent to the browser only once it is asked for."""
    panel = st.expander("Words and symbols", key="glossary", on_change="rerun", type="compact")
    if panel.open:
        panel.html(f'<div class="page-glossary" tabindex="0" role="region" aria-label="Words and symbols">{_table()}</div>')


def _table() -> str:
    named = "".join(f'<th scope="col" lang="{code}">{name}</th>' for code, name in LANGUAGES.items())
    heads = f'<th scope="col">symbol</th><th scope="col">word</th><th scope="col">what it means</th>{named}'
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(map(_row, GLOSSARY))}</tbody></table>"


def _row(word: Word) -> str:
    others = "".join(f'<td lang="{code}">{escape(term)}</td>' for code, term in word.translated.items())
    means = f'<th scope="row">{escape(word.english)}</th><td>{escape(word.means)}</td>'
    return f"<tr><td>{_symbol(word.symbol)}</td>{means}{others}</tr>"


def _symbol(symbol: str) -> str:
    letter, low, index = symbol.partition("_")
    return f"{escape(letter)}<sub>{escape(index)}</sub>" if low else escape(symbol)
