"""Reruns of the open page."""

from collections.abc import Mapping
from typing import Any, NamedTuple, NoReturn

import streamlit as st


class OpenPage(NamedTuple):
    """The page drawn last, a ``StreamlitPage``, and the value of ``st.context.url`` at that time."""

    page: Any
    url: str | None


def record_open_page(page: Any) -> None:
    """Record the page that this script run draws. Its query is not known yet."""
    st.session_state["open_page"] = OpenPage(page, st.context.url)
    st.session_state.pop("open_query", None)
    st.session_state["owners"] = {}


def record_open_query(query: Mapping[str, str]) -> None:
    """Record the URL parameters of the open page."""
    st.session_state["open_query"] = dict(query)


def open_page() -> OpenPage | None:
    """The page drawn last in this session; None before the first page."""
    return st.session_state.get("open_page")


def owner(control: str, bar: str) -> str:
    """The key of the bar that was the first of the open page to draw a control of this name; ``bar`` if none did."""
    return st.session_state.setdefault("owners", {}).setdefault(control, bar)


def rerun_page() -> NoReturn:
    """Rerun the open page, from a fragment or a callback.

    ``st.rerun`` reruns the page for which the script run was requested. If a component sent its message just before another page
    was opened, that is the earlier page, which would replace the open page.
    """
    opened = open_page()
    if opened and opened.url != st.context.url:
        st.switch_page(opened.page, query_params=st.session_state.get("open_query"))
    st.rerun()
