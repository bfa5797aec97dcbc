"""A part of a page that is drawn again on its own."""

from collections.abc import Callable

import streamlit as st


def part(show: Callable[..., None], *given: object, every: float | None = None) -> None:
    """``show(*given)``, drawn again when something in it is pressed, and every so many seconds (if any).

    It stands in a container of its own. When it is drawn again before the browser was sent what a run of the whole page drew,
    Streamlit throws away the messages of this part and keeps those of what follows it. These would then count from a place that
    is not there yet ("Bad delta path index"), and all would go white.
    """
    with st.container():
        st.fragment(show, run_every=every)(*given)
