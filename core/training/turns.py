"""One computation at a time in this process: the right to compute is handed on in the order in which it is asked for.

A run holds it for about 20 ms or one update, so that thirty viewers each stay responsive.
"""

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    """A lock that is handed on in the order in which it was asked for; a plain lock would favour whoever just had it.

    The thread whose turn it is may take it again within; the turn ends with the outermost ``with``.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._holder: int | None = None  # the thread whose turn it is
        self._depth = 0
        self._waiting: deque[tuple[int, threading.Lock]] = deque()

    def __enter__(self) -> None:
        me = threading.get_ident()
        with self._guard:
            if self._holder in (None, me):
                self._holder = me
                self._depth += 1
                return
            ticket = threading.Lock()
            ticket.acquire()
            self._waiting.append((me, ticket))
        ticket.acquire()

    def __exit__(self, *_: object) -> None:
        with self._guard:
            self._depth -= 1
            if self._depth:
                return
            self._holder = None
            if self._waiting:
                self._holder, ticket = self._waiting.popleft()
                self._depth = 1
                ticket.release()

    @contextmanager
    def given_away(self) -> Iterator[None]:
        """Within, it is not this thread's turn, though it may be around it; afterwards it is again, as soon as it comes."""
        depth, mine = self._depth, self._holder == threading.get_ident()
        if mine:
            self._depth = 1
            self.__exit__()
        try:
            yield
        finally:
            if mine:
                self.__enter__()
                self._depth = depth


_turns = Turns()


@contextmanager
def compute() -> Iterator[None]:
    """The right to compute. Wrap in it whatever takes more than about 5 ms; what is wrapped may wrap parts of itself again."""
    with _turns:
        yield


@contextmanager
def letting_others_compute() -> Iterator[None]:
    """Without the right to compute, wherever it stands: while something long lets others have a turn, or waits for them."""
    with _turns.given_away():
        yield


def give_way() -> None:
    """Let those compute who asked for it, in the middle of something long."""
    with _turns.given_away():
        pass
