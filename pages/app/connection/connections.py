"""The connections of this process: the runs of a session pause when its tab disconnects, and continue when it reconnects.

The session of a closed tab is stored for a limited time (``pages/app/connection/session_store.py``).
"""

import asyncio
import contextlib
import threading
from collections.abc import Generator
from weakref import WeakSet

import streamlit as st

from core.config.language import lazy_gettext
from core.text.corpus import source_of
from core.training.memory import object_bytes
from core.training.run.scheduler import Job, start
from pages.app.connection.admission_control import Slot
from pages.app.connection.session_store import TTLStore
from pages.app.server.free_memory import free_memory
from pages.app.session.session import Session
from pages.app.session.session_cache import abandon

CLOSED = lazy_gettext("The page was closed.")


class Connection(Slot):
    """The connection of a tab, and the session attached to it. A tab that reconnects has a new connection.

    ``detach`` is called on the server's event loop: nothing here waits for a computation, or for a lock held during one.
    """

    def __init__(self) -> None:
        self.session: Session | None = None
        with _lock:
            _connections.add(self)

    def attach(self, session: Session) -> None:
        """Attach this session and resume its runs, also one that was suspended as it replaced another one while the tab came
        back. No effect if the tab has disconnected."""
        with _lock:
            if self.gone:
                return
            if self.session is not session:
                self.session = session
                detached_sessions.pop(session.name)
            for run in session.runs:
                run.resume()

    def restore(self, name: str) -> Session | None:
        """Attach the stored session of this name and return it; None if none is stored or it is attached to another tab."""
        with _lock:
            stored = None if self.gone else detached_sessions.pop(name)
            if stored:
                for run in self.session.runs if self.session else ():  # the runs of a session that was created meanwhile
                    run.pause()
                self.attach(stored)
            return stored

    def detach(self) -> None:
        """Pause and store the session, after the tab was closed or reloaded or lost its connection."""
        with _lock:
            self.gone = True
            if self.session:
                pause(self.session)
                store(self.session)


_connections: WeakSet[Connection] = WeakSet()
_lock = threading.RLock()  # of all connections: the script of a tab may still be running when the tab disconnects


def pause(session: Session) -> None:
    """Pause all runs of a session until a tab is connected to it again."""
    for run in session.runs:
        run.suspend(CLOSED)


detached_sessions = TTLStore(evicted=pause)  # the sessions of closed tabs, in this process
_measuring: dict[str, Job[None]] = {}  # their measurements that have not ended, by name


def store(session: Session) -> None:
    """Store a session for its tab; let the scheduler measure it, and schedule the removal of expired sessions."""
    detached_sessions.store(session.name, session)
    with _lock:
        _measuring[session.name] = start(_measured(session))
    with contextlib.suppress(RuntimeError):  # no event loop is running without a server
        asyncio.get_running_loop().call_later(detached_sessions.seconds + 1, drop_expired)


def drop_expired() -> None:
    """Drop the sessions that were stored for long enough, and free their memory."""
    detached_sessions.evict_expired()
    free_memory()


def _measured(session: Session) -> Generator[None, None, None]:
    """Measure a stored session, which takes a tenth of a second after thousands of updates."""
    yield
    abandon(session)
    shared = [] if source_of(session.settings).from_reader else [session.corpus, session.lines, session.monitored.beginning]
    detached_sessions.resize(session.name, object_bytes(session, shared))
    with _lock:
        del _measuring[session.name]


def in_use(name: str) -> bool:
    """Whether the session of this name is attached to a connected tab."""
    with _lock:
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
