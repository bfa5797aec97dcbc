"""Headings, sentences and notices: the only place that styles Streamlit's own parts; all else is our components."""

import inspect
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from core.config.language import gettext as _
from core.content.guide import LONG, SHORT, Hint
from core.content.notation import named
from core.figures.parts.numbers import amount
from core.figures.parts.style import escape
from pages.app.layout.glossary import marked
from pages.app.server.page_recording import record_text

_STYLE, _LOADING_STYLE, _SCENE_STYLE = (
    Path(__file__).with_name(f"{name}.css").read_text() for name in ("elements", "loading", "scene")
)
_HTML = ".stElementContainer:has(> .stHtml > {})"
_WITHIN = '[data-testid="stLayoutWrapper"]:has(> .st-key-{})'
HIDES = {  # a name of core.config.link.HIDEABLE: what there is of it on the pages
    "sidebar": '[data-testid="stSidebar"], [data-testid="stExpandSidebarButton"]',
    "scene_bar": ".st-key-scene_bar, .st-key-hidden_scene_bar",
    "title": _HTML.format(".page-title"),
    "presets": f".st-key-presets, {_HTML.format('.page-one-of')}",
    "bar": ".st-key-transport, .st-key-sections",
    "knobs": ".st-key-live_knobs",
    "sample": ".st-key-writing",
    "restarts": _WITHIN.format("restarts"),
    "more": _WITHIN.format("more"),
    "notes": f"{_HTML.format('.page-note:not(.page-one-of)')}, [class*='st-key-source_'], .st-key-glossary, .st-key-as_page",
}


def _html(markup: str) -> None:
    """Insert ``markup``, in which all texts of a reader are escaped."""
    st.html(markup)  # noqa: TID251


def style() -> None:
    """Size and place the frame, and name the product in it. Once per script run."""
    names = {"product": _("Recurrent networks"), "motto": _("one learns while you watch")}
    root = "".join(f"--{name}: {json.dumps(words, ensure_ascii=False)};" for name, words in names.items())
    _html(f"<style>:root {{ {root} }}\n{_STYLE}</style>")
    _html(f'<style id="loading">{_LOADING_STYLE}</style>')


def scene_style() -> None:
    """What a scene hides and moves in the frame, while it is open."""
    _html(f"<style>{_SCENE_STYLE}</style>")


def hide(names: Sequence[str]) -> None:
    """Hide these parts of the pages, for a slide or an iframe. They still run."""
    if names:
        _html(f"<style>{', '.join(HIDES[name] for name in names)} {{ display: none; }}</style>")


def title(name: str, sentence: str) -> None:
    """Every page begins with its name and one plain sentence."""
    record_text("title", name, sentence)
    _html(f'<div class="page-title"><h1>{escape(name)}</h1>{_paragraph(sentence)}</div>')


def message_page(name: str, *sentences: str) -> None:
    """A page with only a heading and some sentences."""
    markup = "".join(f"<p>{escape(_(sentence))}</p>" for sentence in sentences)
    _html(f'<div class="page-alone" role="status"><h1>{escape(name)}</h1>{markup}</div>')


def heading(name: str, sentence: str = "") -> None:
    """A section within a page."""
    record_text("heading", name, sentence)
    _html(f'<div class="page-heading"><h2>{escape(name)}</h2>{_paragraph(sentence)}</div>')


@contextmanager
def place(key: str) -> Iterator[None]:
    """A container to which a scene or a link can scroll: its ``view`` is this key."""
    record_text("place", key)
    with st.container(key=key):
        yield


def note(sentence: str, css_class: str = "page-note") -> None:
    """A quiet sentence."""
    record_text("note", _(sentence))
    _html(_paragraph(sentence, css_class))


def progress(sentence: str) -> None:
    """A quiet sentence about how far something is: it stays where a page is presented."""
    note(sentence, "page-note page-progress")


def hint(one: Hint) -> None:
    """What to try in a section or a part of a page; in an expander, what to notice then; and where the sources show it."""
    notation = _notation()
    texts = [named(_(words), notation) for words in (one.do, one.notice)]
    record_text("hint", *texts)
    do, notice = (marked(words, notation) for words in texts)
    tried = f"<span><b>{_('Try')}</b> {do}</span> <details><summary>{_('Notice')}</summary> <span>{notice}</span></details>"
    short, long = (escape(one.sources(titles)) for titles in (SHORT, LONG))
    sources = f'<span class="page-sources" title="{long}">{short}</span>' if short else ""
    _html(f'<div class="page-note page-hint"{_stop(tried)}>{tried}{sources}</div>')


def _notation() -> str:
    return st.session_state["session"].settings.notation


def _paragraph(sentence: str, css_class: str = "") -> str:
    markup = marked(_(sentence), _notation())
    return f'<p class="{css_class}"{_stop(markup)}>{markup}</p>' if markup else ""


def _stop(markup: str) -> str:
    """The keyboard stops at what has something to explain, once."""
    return ' tabindex="0"' if "data-word" in markup else ""


def one_of(chosen: int, sentences: Sequence[str]) -> None:
    """The chosen one of these sentences, in room for the longest: nothing moves where another one is chosen."""
    record_text("one_of", sentences[chosen])
    shown = "".join(f'<p aria-hidden="{str(i != chosen).lower()}">{escape(one)}</p>' for i, one in enumerate(sentences))
    _html(f'<div class="page-note page-one-of">{shown}</div>')


def notice(*sentences: str) -> None:
    """Sentences that must be seen, if there are any; those that were stored are translated here. They may quote what the reader
    typed: it is text, never markup."""
    place = st.empty()  # in any case, so that the following elements are not remounted when a sentence appears or disappears
    if sentences:
        shown = [_(sentence) for sentence in sentences]
        record_text("notice", *shown)
        place.html(f'<div class="page-notice" role="status">{"<br>".join(map(escape, shown))}</div>')


def download(name: str, content: bytes) -> None:
    """A button that downloads a file that was made."""
    words = _("Download {file}, {size}B", file=name, size=amount(len(content)))
    st.download_button(words, content, name, on_click="ignore")


def source(name: str, *made_by: Callable | type) -> None:
    """An expander with the code of the core behind the picture above, which is sent to the browser when it is opened."""
    panel = st.expander(_("The code that made this"), key=f"source_{name}", on_change="rerun", type="compact")
    if panel.open:
        with panel:
            for part in made_by:
                st.code(inspect.getsource(inspect.unwrap(part)), language="python")
