"""The connections of this process: a session's runs pause when its tab disconnects, and go on when the tab is connected again.

The session of a closed tab is stored for a while (``pages/app/connection/session_store.py``).
"""

import asyncio
import contextlib
from functools import cache
from weakref import WeakSet

import streamlit as st

from core.config.language import lazy_gettext
from core.text.corpus import source_of
from core.training.memory import object_bytes
from core.training.run.fair_lock import FairLock
from pages.app.connection.admission_control import Slot, admission
from pages.app.connection.session_store import TTLStore
from pages.app.server import access_log
from pages.app.session.session import Session

CLOSED = lazy_gettext("The page was closed.")


class Connection(Slot):
    """One tab's connection, and the session that is attached to it. A tab that connects again has another one."""

    def __init__(self) -> None:
        super().__init__()
        self.session: Session | None = None
        self._log_entry = access_log.AccessLogEntry()
        self._lock = FairLock()  # the script of a tab may still run while the tab disconnects
        with _connections_lock:
            _connections.add(self)

    def attach(self, session: Session) -> None:
        """Show this session in the tab: its runs may train. Nothing where the tab has disconnected."""
        with self._lock:
            if self.gone or self.session is session:
                return
            if not self.session:
                self._log_entry.connected(session.settings)
            self.session = session
            detached_sessions().pop(session.name)
            session.make_active()
            for run in session.runs:
                run.resume()

    def restore(self, name: str) -> Session | None:
        """Attach the stored session of this name; None where none is stored, or it is attached elsewhere."""
        with self._lock:
            stored = None if self.gone else detached_sessions().pop(name)
            if stored:
                for run in self.session.runs if self.session else ():  # of one that was opened meanwhile
                    run.pause()
                self.attach(stored)
            return stored

    def detach(self) -> None:
        """Pause and store the session: the tab was closed or is being loaded again, or its connection was cut."""
        with self._lock:
            self.gone = True
            admission().release_slot(self)
            if self.session:
                self._log_entry.disconnected(self.session.settings, self.session.monitored.step)
                pause(self.session)
                store(self.session)


_connections: WeakSet[Connection] = WeakSet()
_connections_lock = FairLock()  # iterating over a set while another thread adds to it raises


def pause(session: Session) -> None:
    """Pause all runs of a session until a tab is connected to it again."""
    for run in session.runs:
        run.suspend(CLOSED)


def store(session: Session) -> None:
    """Store a session for its tab, with an untrained run as its settings alone, and remove it when its time is over."""
    shared = [] if source_of(session.settings).from_reader else [session.corpus, session.lines, session.monitored.beginning]
    session.make_dormant()
    detached_sessions().store(session.name, session, object_bytes(session, shared))
    with contextlib.suppress(RuntimeError):  # no server, no loop
        asyncio.get_running_loop().call_later(detached_sessions().seconds + 1, detached_sessions().evict_expired)


def in_use(name: str) -> bool:
    """Whether a session of this name is attached to a connected tab."""
    with _connections_lock:
        return any(one.session and one.session.name == name and not one.gone for one in _connections)


def current_connection() -> Connection:
    """The connection of the tab whose script this is."""
    connection = _connection()
    # a yield point: Streamlit ends the script here if the tab disconnected before there was a connection
    _ = "session" in st.session_state
    return connection


@st.cache_resource(scope="session", on_release=Connection.detach, show_spinner=False)
def _connection() -> Connection:
    return Connection()


@cache
def detached_sessions() -> TTLStore[Session]:
    """The sessions of closed tabs, in this process."""
    return TTLStore(evicted=pause)
