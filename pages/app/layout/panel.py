"""Panels that stay as the reader left them."""

from typing import Any

import streamlit as st

OPEN = "open_panels"  # in the session's state: the keys of the panels that are open


def panel(name: str, key: str) -> Any:
    """An expander that stands on every page. ``.open``: whether the reader has opened it.

    Streamlit's browser side does not send the states of expanders with a change of page, so the server would close an open one as
    soon as the next page is drawn, under the pointer of a reader who uses it.
    """
    st.session_state.setdefault(key, key in st.session_state.get(OPEN, ()))
    return st.expander(name, key=key, on_change=_remember, args=(key,), type="compact")


def _remember(key: str) -> None:
    others = st.session_state.get(OPEN, frozenset()) - {key}
    st.session_state[OPEN] = others | {key} if st.session_state[key] else others
