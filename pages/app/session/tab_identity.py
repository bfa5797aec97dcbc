"""A browser tab, and the name that it keeps: how a tab that was loaded again finds what it left.

The name lies in the tab's own ``sessionStorage``: another tab does not have it, and it is in no link. A session has a fresh one
from its first moment, so that a name that has led to something never does so again.
"""

import time

import streamlit as st

from pages.app.session import connections
from pages.app.session.session import Stage
from pages.app.session.session_store import new_name
from pages.app.widgets.component_factory import component

COOKIE = "dashboard_was_here"  # that components/tab/tab.js gives the browser
PATIENCE = 2.0  # seconds that a browser is given to tell its name, while something is kept for somebody
STEP = 0.05  # seconds between two checks whether they have come
NOT_KEPT = (
    "What this tab had before is no longer kept: its run with its curve, and any text or scenes of your own. "
    "This is a new run, with the settings of the address."
)

_tab = component("tab", hears={"names": str})


class Tab:
    """What a session knows of its tab."""

    def __init__(self) -> None:
        self.name = new_name()  # under which it finds again what it leaves
        self.told: list[str] | None = None  # names from before, the newest first; None before it was heard
        self.waited = False  # for them, and in vain
        self.found: Stage | None = None  # what one of them led to, until the frame has it;
        self.says: list[str] = []  # and what is to be said of it

    def hear(self, names: str) -> None:
        """The browser tells the names that it has from before."""
        self.told = names.split()


def this_tab() -> Tab:
    """The tab of this session."""
    if "this_tab" not in st.session_state:
        st.session_state["this_tab"] = Tab()
    return st.session_state["this_tab"]


def greet(tab: Tab, *, waits: bool = False) -> None:
    """Give the tab its name, and hear under which it was here before, if it was; where the server ``waits``, in any case."""
    _tab({"name": tab.name, "waits": waits}, on_names=tab.hear)


def was_here() -> bool:
    """Whether this browser was here before, in whichever tab. One that keeps no cookies never was, as far as this can tell."""
    return COOKIE in st.context.cookies


def wait_for_names(tab: Tab) -> None:
    """Before a stage is opened: where one is kept that may be this tab's, let the tab tell its names first.

    Not where its browser is new here: a round trip and a second script for each of a class that comes, while one has just left.
    """
    if tab.told is not None or tab.waited or not connections.shelf() or not was_here():
        return
    greet(tab, waits=True)
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up:
        time.sleep(STEP)
        this_tab()  # access to the session state: Streamlit stops or reruns the script here when the tab has gone or answered
    tab.waited = True
    st.rerun()


def look_for_what_was_left(tab: Tab) -> None:
    """Find what this tab left when it was here before, if that was not looked for yet."""
    if not tab.told:
        return
    seat = connections.seat()
    tab.found = next(filter(None, map(seat.find, tab.told)), None)
    if not tab.found and not any(map(connections.in_use, tab.told)):
        tab.says.append(NOT_KEPT)
    tab.told = []
