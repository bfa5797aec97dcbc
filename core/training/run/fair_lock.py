"""The compute lock: one computation at a time in this process.

A run holds it for about 20 ms or one update, so that thirty viewers each stay responsive.
"""

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager


class FairLock:
    """Reentrant lock with two FIFO queues, foreground and background, served alternately; a plain lock would favour the thread
    that just released it.

    ``with lock:`` waits in the foreground queue. A run, which acquires it again and again, waits ``with lock.background():``, so
    a viewer waits for one run at a time, not for all that train.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()  # protects the fields below
        self._owner: int | None = None
        self._in_background = False  # the queue that the owner came from
        self._depth = 0
        self._queues: dict[bool, deque[tuple[int, threading.Lock]]] = {False: deque(), True: deque()}

    @property
    def waiting(self) -> int:
        """Number of threads in both queues."""
        return sum(map(len, self._queues.values()))

    def __enter__(self) -> None:
        self._acquire(False)

    def __exit__(self, *_: object) -> None:
        with self._guard:
            self._depth -= 1
            if self._depth:
                return
            self._owner = None
            background = self._in_background != bool(self._queues[not self._in_background])  # the other queue, unless it is empty
            if self._queues[background]:
                self._owner, ticket = self._queues[background].popleft()
                self._in_background, self._depth = background, 1
                ticket.release()

    @contextmanager
    def background(self) -> Iterator[None]:
        """Hold the lock, after waiting in the background queue."""
        self._acquire(True)
        try:
            yield
        finally:
            self.__exit__()

    @contextmanager
    def released(self) -> Iterator[None]:
        """Release the lock, however deep this thread holds it, and reacquire it afterwards. No effect if it does not hold it."""
        if self._owner != threading.get_ident():
            yield
            return
        depth, background, self._depth = self._depth, self._in_background, 1
        self.__exit__()
        try:
            yield
        finally:
            self._acquire(background)
            self._depth = depth

    def yield_lock(self) -> None:
        """Let waiting threads compute, in the middle of a long computation."""
        with self.released():
            pass

    def _acquire(self, background: bool) -> None:
        thread = threading.get_ident()
        with self._guard:
            if self._owner is None:
                self._owner, self._in_background = thread, background
            if self._owner == thread:
                self._depth += 1
                return
            ticket = threading.Lock()
            ticket.acquire()
            self._queues[background].append((thread, ticket))
        ticket.acquire()


compute_lock = FairLock()  # hold it for every computation of more than about 5 ms
