"""Reruns of the page that is open."""

from collections.abc import Mapping
from typing import Any, NamedTuple, NoReturn

import streamlit as st


class OpenPage(NamedTuple):
    """The page that was drawn last, a ``StreamlitPage``, and what ``st.context.url`` was then."""

    page: Any
    url: str | None


def record_open_page(page: Any) -> None:
    """``page`` is what this script run draws. Its query is not known yet."""
    st.session_state["open_page"] = OpenPage(page, st.context.url)
    st.session_state.pop("open_query", None)


def record_open_query(query: Mapping[str, str]) -> None:
    """The URL of the open page has these parameters."""
    st.session_state["open_query"] = dict(query)


def open_page() -> OpenPage | None:
    """The page that was drawn last in this session; None before the first one."""
    return st.session_state.get("open_page")


def rerun_page() -> NoReturn:
    """Rerun the open page, from a fragment or a callback.

    ``st.rerun`` reruns the page for which the script run was requested: an earlier page, where a component sent its message just
    before another page was opened. That page would be drawn in place of the open one.
    """
    opened = open_page()
    if opened and opened.url != st.context.url:
        st.switch_page(opened.page, query_params=st.session_state.get("open_query"))
    st.rerun()
