"""Headings, sentences and notices. Only this module styles Streamlit's own elements; all others are our components."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from core.config.language import gettext as _
from core.config.settings import DEFAULTS
from pages.app.layout.glossary import marked
from pages.app.layout.index_page import name_style
from pages.app.server.page_recording import record_text
from pages.app.server.static_assets import COMPONENTS
from pages.content.books import index_address
from pages.content.guide import LONG, SHORT_TITLES, Hint
from pages.content.notation import in_notation
from pages.figures.parts.listing import code_part
from pages.figures.parts.numbers import amount
from pages.figures.parts.style import escape

WHOLE_PAGE = ".stMainBlockContainer > .stVerticalBlock > :not(:has(.st-key-scene_bar))"
_SCENE_STYLE = Path(__file__).with_name("scene.css").read_text() + (COMPONENTS / "shared/asked.css").read_text()
_HTML = ".stElementContainer:has(> .stHtml > {})"
_WITHIN = '[data-testid="stLayoutWrapper"]:has(> .st-key-{})'
HIDES = {  # name in core.config.link.HIDEABLE -> CSS selectors of its elements
    "sidebar": '[data-testid="stSidebar"], [data-testid="stExpandSidebarButton"]',
    "scene_bar": ".st-key-scene_bar, .st-key-hidden_scene_bar",
    "title": _HTML.format(".page-title"),
    "presets": f".st-key-presets, {_HTML.format('.page-one-of')}",
    "bar": ".st-key-transport, .st-key-sections",
    "knobs": ":is(.st-key-live_knobs, .st-key-second_run_knobs)",
    "sample": ".st-key-writing",
    "restarts": _WITHIN.format("restarts"),
    "more": _WITHIN.format("more"),
    "notes": f"{_HTML.format('.page-note:not(.page-one-of)')}, [class*='st-key-source_'], .st-key-glossary, .st-key-as_page",
}


def _html(markup: str) -> None:
    """Insert HTML, in which the caller has escaped all texts of a reader."""
    st.html(markup)  # noqa: TID251


def style() -> None:
    """Add the name of the dashboard to the frame, in the language of this script run. Call this once per script run."""
    _html(f"<style>{name_style()}</style>")


def scene_style(view: str = "") -> None:
    """Add the style sheet that hides and moves parts of the frame while a scene is open, which may hide the container with the
    key ``view``."""
    part = f".st-key-{view}" if re.fullmatch("[a-z_]+", view) else WHOLE_PAGE
    _html(f'<style>{_SCENE_STYLE}:root[data-asked="section"] {part} {{ visibility: hidden; }}</style>')


def hide(names: Sequence[str]) -> None:
    """Hide these parts of the pages, for a slide or an iframe. Their code still runs."""
    if names:
        _html(f"<style>{', '.join(HIDES[name] for name in names)} {{ display: none; }}</style>")


def title(name: str, sentence: str) -> None:
    """The heading of a page: its name and one plain sentence."""
    record_text("title", name, sentence)
    _html(f'<div class="page-title"><h1>{escape(name)}</h1>{_paragraph(sentence)}</div>')


def message_page(name: str, *sentences: str) -> None:
    """A page with only a heading and some sentences."""
    markup = "".join(f"<p>{escape(_(sentence))}</p>" for sentence in sentences)
    _html(f'<div class="page-alone" role="status"><h1>{escape(name)}</h1>{markup}</div>')


def heading(name: str, sentence: str = "") -> None:
    """The heading of a section within a page."""
    record_text("heading", name, sentence)
    _html(f'<div class="page-heading"><h2>{escape(name)}</h2>{_paragraph(sentence)}</div>')


@contextmanager
def place(key: str) -> Iterator[None]:
    """A container to which a scene or a link can scroll, with this key as its ``view``."""
    record_text("place", key)
    with st.container(key=key):
        yield


def note(sentence: str, css_class: str = "page-note") -> None:
    """A sentence in the style of a note."""
    record_text("note", _(sentence))
    _html(_paragraph(sentence, css_class))


def progress(sentence: str) -> None:
    """A note about the progress of a computation; it stays visible in presentation mode."""
    note(sentence, "page-note page-progress")


def hint(one: Hint) -> None:
    """What to try in a section, in an expander what to notice then, and the places in the sources that show the same."""
    notation = _notation()
    texts = [in_notation(_(words), notation) for words in (one.do, one.notice)]
    record_text("hint", *texts)
    do, notice = (marked(words, notation) for words in texts)
    tried = f"<span><b>{_('Try')}</b> {do}</span> <details><summary>{_('Notice')}</summary> <span>{notice}</span></details>"
    short, long = (escape(one.sources(titles)) for titles in (SHORT_TITLES, LONG))
    sources = (
        f'<a class="page-sources" href="{escape(index_address(one))}" target="_self" title="{long}">{short}</a>' if short else ""
    )
    _html(f'<div class="page-note page-hint"{_stop(tried)}>{tried}{sources}</div>')


def _notation() -> str:
    session = st.session_state.get("session")  # none while the run of a visitor's first page is made
    return (session.settings if session else DEFAULTS).notation


def _paragraph(sentence: str, css_class: str = "") -> str:
    markup = marked(_(sentence), _notation())
    return f'<p class="{css_class}"{_stop(markup)}>{markup}</p>' if markup else ""


def _stop(markup: str) -> str:
    """The attribute that makes a text with explained terms focusable by keyboard; empty for other texts."""
    return ' tabindex="0"' if "data-word" in markup else ""


def one_of(chosen: int, sentences: Sequence[str]) -> None:
    """The chosen one of these sentences, in a box as high as the longest one, so that another choice moves nothing."""
    record_text("one_of", sentences[chosen])
    shown = "".join(f'<p aria-hidden="{str(i != chosen).lower()}">{escape(one)}</p>' for i, one in enumerate(sentences))
    _html(f'<div class="page-note page-one-of">{shown}</div>')


def verdict(is_right: bool, first: str, *more: str) -> None:
    """What there is to say about an answer, with a sign and in the colour of right or wrong."""
    notice(f"{'✓' if is_right else '✗'} {_(first)}", *more, kind="right" if is_right else "wrong")


def notice(*sentences: str, kind: str = "") -> None:
    """Important sentences, if there are any; lazily translated messages are translated here. Text that the reader typed may be
    quoted in them, as they are escaped. ``kind``: that of a verdict, which stays beside its question."""
    place = st.empty()  # always created, so that the following elements are not remounted when a notice appears or disappears
    if sentences:
        shown = [_(sentence) for sentence in sentences]
        record_text("notice", *shown)
        place.html(f'<div class="page-notice" data-kind="{kind}" role="status">{"<br>".join(map(escape, shown))}</div>')


def download(name: str, content: bytes) -> None:
    """A button that downloads a file with this content."""
    words = _("Download {file}, {size}B", file=name, size=amount(len(content)))
    st.download_button(words, content, name, on_click="ignore")


def source(name: str, *made_by: Callable | type, lit: Callable[[], None] | None = None) -> None:
    """An expander with the code of ``core`` behind the picture above, which is sent to the browser when it is opened. ``lit``
    draws a listing in which the lines of the present sub-step are lit."""
    panel = st.expander(_("The code that made this"), key=f"source_{name}", on_change="rerun", type="compact")
    if panel.open:
        with panel:
            if lit:
                lit()
            for part in map(code_part, made_by):
                note(part["place"])
                st.code("\n".join(part["lines"]), language=None, wrap_lines=True)  # the colours of a language are too faint
