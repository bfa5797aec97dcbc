"""A part of a page that is drawn again on its own: a fragment of Streamlit's."""

from collections.abc import Callable
from contextvars import ContextVar

import streamlit as st

from pages.app.server.prometheus import drawing
from pages.app.widgets.reader_language import restore_language

_drawing: ContextVar[bool] = ContextVar("drawing", default=False)  # whether a part is being drawn


def part(show: Callable[..., None], *given: object, every: float | None = None) -> None:
    """``show(*given)`` as a fragment: rerun by its events, and every so many seconds (if any).

    It has a container of its own, and is never nested. When a part is drawn again before the browser was sent
    what a run of the whole page drew, Streamlit drops the unsent messages of this part and sends all others. Those of what
    follows it, or of a part within it, would then refer to elements that do not exist ("Bad delta path index"), and the page
    would go blank. ``RuntimeError`` where one stands within another.
    """
    if _drawing.get():
        raise RuntimeError(f"{show.__name__} is a part within a part.")

    def draw(*given: object) -> None:
        restore_language()
        token = _drawing.set(True)
        try:
            with drawing("fragment"):
                show(*given)
        finally:
            _drawing.reset(token)

    draw.__module__, draw.__qualname__, draw.__name__ = show.__module__, show.__qualname__, show.__name__  # Streamlit's identity
    with st.container():
        st.fragment(draw, run_every=every)(*given)
