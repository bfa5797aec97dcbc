"""One computation at a time in this process: the right to compute is handed on in the order in which it is asked for.

A run holds it for about 20 ms or one update, so that thirty viewers each stay responsive.
"""

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    """A lock that is handed on in the order in which it was asked for; a plain lock would favour whoever just had it."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._held = False
        self._waiting: deque[threading.Lock] = deque()

    def __enter__(self) -> None:
        with self._guard:
            if not self._held:
                self._held = True
                return
            ticket = threading.Lock()
            ticket.acquire()
            self._waiting.append(ticket)
        ticket.acquire()

    def __exit__(self, *_: object) -> None:
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._held = False


_turns = Turns()


@contextmanager
def compute() -> Iterator[None]:
    """The right to compute. Wrap in it whatever takes more than about 5 ms; not re-entrant."""
    with _turns:
        yield
