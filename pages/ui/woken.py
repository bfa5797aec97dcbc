"""The server is woken once for all that scripts have to say by then, not for every word of theirs.

A script tells the server of each thing that it draws, some fifty to a hundred on a page. Streamlit writes to the server's wake-up
pipe each time; there the interpreter's lock changes hands, and the script waits to have it back. Where many pages are drawn at
once, this is a twentieth to a tenth of all their work. What is said reaches the server in the same order as ever, and no later.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from functools import wraps
from weakref import WeakKeyDictionary

from streamlit.runtime import get_instance
from streamlit.runtime.app_session import AppSession

Do = Callable[[], None]


class Said:
    """What was said and is not heard yet. ``say`` may be called from any thread."""

    def __init__(self) -> None:
        self._waiting: deque[Do] = deque()
        self._woken = False

    def say(self, do: Do, wake: Callable[[Do], None], soon: Callable[[Do], object]) -> None:
        """Have ``do`` done on the loop: ``wake(then)`` wakes it, where it is not woken already, and ``soon`` is its own call."""
        self._waiting.append(do)
        if not self._woken:
            self._woken = True
            wake(lambda: self._hear(soon))

    def _hear(self, soon: Callable[[Do], object]) -> None:
        self._woken = False  # first: whoever speaks from here on wakes it again
        for _ in range(len(self._waiting)):
            soon(self._waiting.popleft())


def wake_once() -> None:
    """From now on the loop is woken for what all scripts have to say. Once per process."""
    wake = AppSession._call_soon_on_event_loop
    said: WeakKeyDictionary[asyncio.AbstractEventLoop, Said] = WeakKeyDictionary()

    @wraps(wake)
    def told(session: AppSession, do: Do) -> None:
        loop = session._event_loop
        said.setdefault(loop, Said()).say(do, lambda then: wake(session, then), loop.call_soon)

    AppSession._call_soon_on_event_loop = told
    sessions = get_instance()._session_mgr
    sessions._message_enqueued_callback = _noted(sessions._message_enqueued_callback)


def _noted(note: Do) -> Do:
    """``note()``, that there is something to send, which wakes the loop; where that is the loop's own word, it is awake."""

    @wraps(note)
    def noted() -> None:
        there = get_instance()._get_async_objs()
        if asyncio._get_running_loop() is there.eventloop:
            there.need_send_data.set()
        else:
            note()

    return noted
