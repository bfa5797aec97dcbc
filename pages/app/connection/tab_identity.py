"""A browser tab and its name: a secret token with which a reloaded tab restores its session.

The name is stored in the ``sessionStorage`` of the tab, which tabs do not share; no link contains it. Every Streamlit session
gets a new name when it starts, so a name restores a session at most once.
"""

import secrets
import time
from dataclasses import dataclass, field

import streamlit as st

from core.config.language import lazy_gettext
from pages.app.connection import connections
from pages.app.session.session import Session
from pages.app.widgets.component_factory import component

COOKIE = "dashboard_was_here"  # set by components/tab/tab.js
PATIENCE = 2.0  # seconds to wait for the tab's earlier names if there are stored sessions
STEP = 0.05  # seconds between two checks whether the names have arrived
NOT_KEPT = lazy_gettext(
    "What this tab had before is no longer kept: its run with its curve, and any text or scenes of your own. "
    "This is a new run, with the settings of the address."
)

_tab = component("tab", {"name": str, "waits": bool}, events={"names": str})


@dataclass
class Tab:
    """The tab of a Streamlit session: its name, its earlier names and the restored session."""

    name: str = field(default_factory=lambda: secrets.token_urlsafe(32))  # 256 bits: its session will be stored under this name
    names: list[str] | None = None  # earlier names, newest first; None until the browser has sent them
    waited: bool = False  # whether the server has waited for the earlier names in vain
    restored: Session | None = None  # the session stored under an earlier name, until a script run takes it over
    notices: list[str] = field(default_factory=list)  # about the restored or lost session, until a script run shows them

    def set_names(self, names: str) -> None:
        """Store the earlier names, which the browser sends separated by blanks."""
        self.names = names.split()


def this_tab() -> Tab:
    """The tab of this Streamlit session."""
    return st.session_state.setdefault("this_tab", Tab())


def register_tab(tab: Tab, *, waits: bool = False) -> None:
    """Send the tab its name. The browser replies with its earlier names if it has any or if the server ``waits``."""
    _tab({"name": tab.name, "waits": waits}, on_names=tab.set_names)


def was_here() -> bool:
    """Whether this browser has opened the dashboard before, in any tab; False if it stores no cookies."""
    return COOKIE in st.context.cookies


def wait_for_names(tab: Tab) -> None:
    """Wait up to ``PATIENCE`` seconds for the tab's earlier names if stored sessions exist, before a new session is created.

    Do not wait for a browser without our cookie: as soon as one tab has been closed, each tab of an arriving class would cost a
    round trip and a second script run.
    """
    if tab.names is not None or tab.waited or not connections.detached_sessions or not was_here():
        return
    register_tab(tab, waits=True)
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up:
        time.sleep(STEP)
        this_tab()  # access to the session state: Streamlit stops or reruns the script here if the tab disconnected or replied
    tab.waited = True
    st.rerun()


def restore_session(tab: Tab) -> None:
    """Restore the session stored under one of this tab's earlier names, at most once."""
    if not tab.names:
        return
    connection = connections.current_connection()
    tab.restored = next(filter(None, map(connection.restore, tab.names)), None)
    if not tab.restored and not any(map(connections.in_use, tab.names)):
        tab.notices.append(NOT_KEPT)
    tab.names = []
