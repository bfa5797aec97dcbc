"""The connections of this process: the runs of a session pause when its tab disconnects, and continue when it reconnects.

The session of a closed tab is stored for a limited time (``pages/app/connection/session_store.py``).
"""

import asyncio
import contextlib
import threading
from weakref import WeakSet

import streamlit as st

from core.config.language import lazy_gettext
from core.text.corpus import source_of
from core.training.memory import object_bytes
from pages.app.connection.admission_control import Slot, admitted
from pages.app.connection.session_store import TTLStore
from pages.app.session.session import Session

CLOSED = lazy_gettext("The page was closed.")


class Connection(Slot):
    """The connection of a tab, and the session attached to it. A tab that reconnects has a new connection."""

    def __init__(self) -> None:
        self.session: Session | None = None
        self._lock = threading.RLock()  # the script of a tab may still be running when the tab disconnects
        with _connections_lock:
            _connections.add(self)

    def attach(self, session: Session) -> None:
        """Attach this session and resume its runs. No effect if the tab has disconnected or the session is already attached."""
        with self._lock:
            if self.gone or self.session is session:
                return
            self.session = session
            detached_sessions.pop(session.name)
            for run in session.runs:
                run.resume()

    def restore(self, name: str) -> Session | None:
        """Attach the stored session of this name and return it; None if none is stored or it is attached to another tab."""
        with self._lock:
            stored = None if self.gone else detached_sessions.pop(name)
            if stored:
                for run in self.session.runs if self.session else ():  # the runs of a session that was created meanwhile
                    run.pause()
                self.attach(stored)
            return stored

    def detach(self) -> None:
        """Pause and store the session, after the tab was closed or reloaded or lost its connection."""
        with self._lock:
            self.gone = True
            admitted.discard(self)
            if self.session:
                pause(self.session)
                store(self.session)


_connections: WeakSet[Connection] = WeakSet()
_connections_lock = threading.RLock()  # iterating over a set while another thread adds to it raises RuntimeError


def pause(session: Session) -> None:
    """Pause all runs of a session until a tab is connected to it again."""
    for run in session.runs:
        run.suspend(CLOSED)


detached_sessions = TTLStore(evicted=pause)  # the sessions of closed tabs, in this process


def store(session: Session) -> None:
    """Store a session for its tab, and schedule the removal of expired sessions."""
    shared = [] if source_of(session.settings).from_reader else [session.corpus, session.lines, session.monitored.beginning]
    detached_sessions.store(session.name, session, object_bytes(session, shared))
    with contextlib.suppress(RuntimeError):  # no event loop is running without a server
        asyncio.get_running_loop().call_later(detached_sessions.seconds + 1, detached_sessions.evict_expired)


def in_use(name: str) -> bool:
    """Whether the session of this name is attached to a connected tab."""
    with _connections_lock:
        return any(one.session and one.session.name == name and not one.gone for one in _connections)


def current_connection() -> Connection:
    """The connection of the tab in which this script runs."""
    connection = _connection()
    # a yield point: Streamlit stops the script here if the tab disconnected before the connection was created
    _ = "session" in st.session_state
    return connection


@st.cache_resource(scope="session", on_release=Connection.detach, show_spinner=False)
def _connection() -> Connection:
    return Connection()
