"""A part of a page that is rerun on its own: a fragment of Streamlit."""

from collections.abc import Callable
from contextvars import ContextVar

import streamlit as st

from pages.app.widgets.reader_language import restore_language

_drawing: ContextVar[bool] = ContextVar("drawing", default=False)  # whether a fragment is being drawn


def draw_fragment(show: Callable[..., None], *given: object, interval: float | None = None) -> None:
    """Draw ``show(*given)`` as a fragment, rerun after its events, and every ``interval`` seconds if that is not None.

    It has its own container and is never nested. When a fragment is rerun before the messages of a full run have been sent,
    Streamlit drops the unsent messages of this fragment and sends all others. Messages for elements after it in its container, or
    in a nested fragment, would then refer to elements that do not exist ("Bad delta path index"), and the page would go blank.
    Raises ``RuntimeError`` for a nested fragment.
    """
    if _drawing.get():
        raise RuntimeError(f"{show.__name__} is a part within a part.")

    def draw(*given: object) -> None:
        restore_language()
        token = _drawing.set(True)
        try:
            show(*given)
        finally:
            _drawing.reset(token)

    draw.__module__, draw.__qualname__, draw.__name__ = show.__module__, show.__qualname__, show.__name__  # for the fragment id
    with st.container():
        st.fragment(draw, run_every=interval)(*given)
