"""The frame of look-and-feel: the only place that styles Streamlit's own parts; all else is our components."""

import streamlit as st

from core.figures.style import escape

_STYLE = """
<style>
[data-testid="stHeader"] { height: 0; min-height: 0; background: none; }
[data-testid="stMainBlockContainer"] { padding: 16px 24px 24px; max-width: 1020px; margin-left: 0; }
[data-testid="stSidebar"][aria-expanded="true"] { width: 260px !important; min-width: 260px !important; }
[data-testid="stSidebarHeader"] { height: 0; min-height: 0; padding: 0; margin: 0; }
[data-testid="stSidebarNav"]::before { content: "Recurrent networks"; font-size: 18px; font-weight: 650; padding: 14px 0 0 8px; display: block; }
[data-testid="stSidebarNav"]::after { content: "one learns while you watch"; order: -1; font-size: 14px; opacity: .75; padding: 0 0 10px 8px; display: block; }
[data-testid="stSidebarNav"] { display: flex; flex-direction: column; }
[data-testid="stSidebarNav"]::before { order: -2; }
[data-testid="stSidebarContent"] { display: flex; flex-direction: column; }
[data-testid="stSidebarUserContent"] { margin-top: auto; padding: 0 14px 14px; }
.page-title { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 16px; }
.page-title h1 { font-size: 28px; font-weight: 680; padding: 0; margin: 0; line-height: 1.2; }
.page-title p { font-size: 17px; margin: 0; opacity: .8; }
.page-heading { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 12px; margin-top: 12px; }
.page-heading h2 { font-size: 20px; font-weight: 650; padding: 0; margin: 0; line-height: 1.3; }
.page-heading p, .page-note { font-size: 15px; margin: 0; opacity: .8; }
.page-notice { border-left: 4px solid var(--st-primary-color, currentColor); padding: 8px 12px; border-radius: 8px; font-size: 16px; background: rgba(128, 128, 128, .12); overflow-wrap: anywhere; }
@media (max-width: 640px) { [data-testid="stMainBlockContainer"] { padding: 16px 12px; } .page-title h1 { padding-left: 40px; } }
</style>
"""


def style() -> None:
    """Size and place the frame. Once per script run."""
    st.html(_STYLE)


def title(name: str, sentence: str) -> None:
    """Every page begins with its name and one plain sentence."""
    st.html(f'<div class="page-title"><h1>{escape(name)}</h1><p>{escape(sentence)}</p></div>')


def heading(name: str, sentence: str = "") -> None:
    """A section within a page."""
    st.html(f'<div class="page-heading"><h2>{escape(name)}</h2><p>{escape(sentence)}</p></div>')


def note(sentence: str) -> None:
    """A quiet sentence."""
    st.html(f'<p class="page-note">{escape(sentence)}</p>')


def notice(sentence: str) -> None:
    """A sentence that must be seen. It may quote what the reader typed: it is text, never markup."""
    st.html(f'<div class="page-notice" role="status">{escape(sentence)}</div>')
