"""A line: one thread at a time, in the order of coming, and nobody waits long for one that takes long."""

import threading
import time
from collections import deque
from collections.abc import Callable

LONGEST = 0.5  # seconds that one keeps the others waiting


class Line:
    """Lets in one thread at a time; ``with`` waits for the place, and gives it back."""

    def __init__(self, longest: float = LONGEST, clock: Callable[[], float] = time.monotonic) -> None:
        self._longest = longest
        self._clock = clock
        self._guard = threading.Lock()
        self._inside: int | None = None  # the thread that has the place,
        self._since = 0.0  # and since when
        self._line: deque[tuple[int, threading.Event]] = deque()

    @property
    def waiting(self) -> int:
        return len(self._line)

    def __enter__(self) -> None:
        called = threading.Event()
        with self._guard:
            self._line.append((threading.get_ident(), called))
            self._call()
        while not called.wait(self._longest):
            with self._guard:
                self._call()

    def __exit__(self, *_: object) -> None:
        self.leave()

    def leave(self) -> None:
        """Give the place back, if it is still this thread's: also before the end, by who only waits from here on."""
        with self._guard:
            if self._inside == threading.get_ident():
                self._inside = None
                self._call()

    def _call(self) -> None:
        """Let the first in the line in, if there is a place."""
        if self._line and (self._inside is None or self._clock() - self._since >= self._longest):
            self._inside, called = self._line.popleft()
            self._since = self._clock()
            called.set()
