"""A browser tab and its name: a secret token by which a tab that is loaded again restores its session.

The name is stored in the tab's own ``sessionStorage``: another tab does not have it, and it is in no link. Every session has a
new one from its start, so that a name restores a session at most once.
"""

import time

import streamlit as st

from core.config.language import lazy_gettext
from pages.app.connection import connections
from pages.app.connection.session_store import new_name
from pages.app.session.session import Session
from pages.app.widgets.component_factory import component

COOKIE = "dashboard_was_here"  # that components/tab/tab.js gives the browser
PATIENCE = 2.0  # seconds to wait for a browser's names, while sessions are stored
STEP = 0.05  # seconds between two checks whether they have arrived
NOT_KEPT = lazy_gettext(
    "What this tab had before is no longer kept: its run with its curve, and any text or scenes of your own. "
    "This is a new run, with the settings of the address."
)

_tab = component("tab", {"name": str, "waits": bool}, events={"names": str})


class Tab:
    """What a session knows of its tab."""

    def __init__(self) -> None:
        self.name = new_name()  # under which its session will be stored
        self.names: list[str] | None = None  # earlier ones, the newest first; None before the browser sent them
        self.waited = False  # for them, and none arrived
        self.restored: Session | None = None  # the session of one of them, until a page has it
        self.notices: list[str] = []  # sentences about that

    def set_names(self, names: str) -> None:
        """The earlier names, as the browser sent them, with blanks between them."""
        self.names = names.split()

    def clear(self) -> None:
        """A page has the restored session and the sentences."""
        self.restored, self.notices = None, []


def this_tab() -> Tab:
    """The tab of this session."""
    if "this_tab" not in st.session_state:
        st.session_state["this_tab"] = Tab()
    return st.session_state["this_tab"]


def register_tab(tab: Tab, *, waits: bool = False) -> None:
    """Give the tab its name, and ask for its earlier ones; the browser answers if it has some, or if the server ``waits``."""
    _tab({"name": tab.name, "waits": waits}, on_names=tab.set_names)


def was_here() -> bool:
    """Whether this browser was here before, in whichever tab. Unknown, and so false, of one without cookies."""
    return COOKIE in st.context.cookies


def wait_for_names(tab: Tab) -> None:
    """Before a session is created: if stored sessions exist, wait up to ``PATIENCE`` seconds for the tab's earlier names.

    Not for a browser without our cookie: each tab of a class that comes would cost a round trip and a second script run as soon
    as one tab has been closed.
    """
    if tab.names is not None or tab.waited or not connections.detached_sessions() or not was_here():
        return
    register_tab(tab, waits=True)
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up:
        time.sleep(STEP)
        this_tab()  # access to the session state: Streamlit stops or reruns the script here when the tab has gone or answered
    tab.waited = True
    st.rerun()


def restore_session(tab: Tab) -> None:
    """Restore the session of this tab's earlier names, once."""
    if not tab.names:
        return
    connection = connections.current_connection()
    tab.restored = next(filter(None, map(connection.restore, tab.names)), None)
    if not tab.restored and not any(map(connections.in_use, tab.names)):
        tab.notices.append(NOT_KEPT)
    tab.names = []
