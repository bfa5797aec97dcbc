"""The memory of this process: what is there for good is never looked through again, and what leaves is given back.

Streamlit's own collection after every script run is switched off (it costs 60-90 ms); this is ours. It runs while sessions leave
and until nothing is kept of them, not when the next visitor comes: there may be none.
"""

import asyncio
import contextlib
import ctypes
import gc
import time

import streamlit as st
from streamlit import runtime

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8  # of malloc.h: bytes, bytes, number
EVERY = 15.0  # seconds between two collections; each stops every session for a moment
NEW = 50_000  # objects more than there were, after which Python looks through the new ones by itself


class Collector:
    """Collects garbage from when somebody leaves until Streamlit has let go of what they left."""

    def __init__(self) -> None:
        self._until = 0.0
        self._due = False

    def begin(self) -> None:
        """Somebody leaves. On the server's loop; without one (in a test) there is nobody to wait for."""
        self._until = time.monotonic() + st.get_option("server.disconnectedSessionTTL") + EVERY
        with contextlib.suppress(RuntimeError):
            self._wait(asyncio.get_running_loop())

    def _wait(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self._due:
            self._due = True
            loop.call_later(EVERY, self._collect, loop)

    def _collect(self, loop: asyncio.AbstractEventLoop) -> None:
        self._due = False
        give_back()
        if time.monotonic() < self._until:
            self._wait(loop)


_collector = Collector()


def one_heap() -> None:
    """For all threads, instead of one for each of many: what thirty that have gone leave between what stays would be hundreds of
    megabytes of holes. Sizes that training asks for again and again stay in it, larger ones are the system's own.

    glibc alone is told; once per process, before there are threads.
    """
    with contextlib.suppress(OSError, AttributeError, TypeError):
        tell = ctypes.CDLL(None).mallopt
        tell(M_ARENA_MAX, 1)
        tell(M_MMAP_THRESHOLD, 2**20)
        tell(M_TRIM_THRESHOLD, 2**26)


def settle() -> None:
    """Everything that is there now is there for good."""
    gc.collect()
    gc.freeze()


def look_seldom() -> None:
    """Have Python look for garbage by itself after ``NEW`` objects, not after some hundreds. Once per process.

    Of three hundred who come at once each brings some five thousand objects that stay: it would look through all that there is
    every second, a tenth of the time they wait.
    """
    gc.set_threshold(max(NEW, gc.get_threshold()[0]), *gc.get_threshold()[1:])


def open_files_allowed() -> None:
    """As many as the system allows at most: a session needs five, and some systems begin with 256."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def give_back_soon() -> None:
    """Somebody leaves: give back what they held, as soon as nothing keeps it."""
    _collector.begin()


def give_back() -> None:
    """Let go of sessions that are over, and give the system the memory that is free. Where nobody is here, all that is there is
    looked through: sessions that had begun when the process settled are only then let go of."""
    if not _forget_old_sessions():
        gc.unfreeze()
        settle()
    else:
        gc.collect()
    _trim()


def _forget_old_sessions() -> int:
    """Have Streamlit drop the sessions that it no longer keeps: by itself it does when another one ends. How many are here."""
    if not runtime.exists():
        return 0
    sessions = runtime.get_instance()._session_mgr
    with contextlib.suppress(AttributeError):  # of another Streamlit
        sessions._session_storage._cache.expire()
    return len(sessions.list_active_sessions())


def _trim() -> None:
    """glibc keeps what is freed, unless it is asked for it; others give it back by themselves."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
