"""Reruns of the open page."""

from collections.abc import Mapping
from typing import Any, NoReturn
from urllib.parse import urlsplit

import streamlit as st

from core.config.link import PAGE_PATHS


def record_open_page(page: Any) -> None:
    """Record the page that this script run draws, a ``StreamlitPage``. Its query is not known yet."""
    st.session_state["open_page"] = page
    st.session_state.pop("open_query", None)
    st.session_state["owners"] = {}


def record_open_query(query: Mapping[str, str]) -> None:
    """Record the URL parameters of the open page."""
    st.session_state["open_query"] = dict(query)


def is_late() -> bool:
    """Whether the message for which this script runs was sent before the browser showed the page drawn last: its URL was still
    that of the page before."""
    page, url = st.session_state.get("open_page"), st.context.url
    if not page or not url:
        return False
    path = urlsplit(url).path.rpartition("/")[2]
    return page.url_path != (path if path in PAGE_PATHS else "")


def owner(control: str, bar: str) -> str:
    """The key of the bar that was the first of the open page to draw a control of this name; ``bar`` if none did."""
    return st.session_state.setdefault("owners", {}).setdefault(control, bar)


def rerun_page() -> NoReturn:
    """Rerun the page drawn last, from a fragment or a callback.

    ``st.rerun`` reruns the page for which the script run was requested. After a late message that is the page before, which would
    replace the open page.
    """
    if is_late():
        query = st.session_state.get("open_query", st.query_params.to_dict())
        st.switch_page(st.session_state["open_page"], query_params=query)
    st.rerun()
