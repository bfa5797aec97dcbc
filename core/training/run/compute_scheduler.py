"""One computation at a time in this process: the right to compute is handed on in the order in which it is asked for.

A run holds it for about 20 ms or one update, so that thirty viewers each stay responsive; and of those who wait, every other one
is a viewer.
"""

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    """A lock that is handed on in the order in which it was asked for; a plain lock would favour whoever just had it.

    There are two lines, and it goes to them by turns: those who ask with :meth:`patiently` wait for each other and, each time,
    for one of the others; the others never wait for all of the patient. The thread whose turn it is may take it again within;
    the turn ends with the outermost ``with``.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._holder: int | None = None  # the thread whose turn it is,
        self._patient = False  # and from which line it came
        self._depth = 0
        self._lines: dict[bool, deque[tuple[int, threading.Lock]]] = {False: deque(), True: deque()}

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return sum(map(len, self._lines.values()))

    def __enter__(self) -> None:
        self._take(False)

    def __exit__(self, *_: object) -> None:
        with self._guard:
            self._depth -= 1
            if self._depth:
                return
            self._holder = None
            next_line = self._patient != bool(self._lines[not self._patient])
            if self._lines[next_line]:
                self._holder, ticket = self._lines[next_line].popleft()
                self._patient, self._depth = next_line, 1
                ticket.release()

    @contextmanager
    def patiently(self) -> Iterator[None]:
        """A turn of somebody who asks again and again."""
        self._take(True)
        try:
            yield
        finally:
            self.__exit__()

    def _take(self, patient: bool) -> None:
        me = threading.get_ident()
        with self._guard:
            if self._holder is None:
                self._holder, self._patient = me, patient
            if self._holder == me:
                self._depth += 1
                return
            ticket = threading.Lock()
            ticket.acquire()
            self._lines[patient].append((me, ticket))
        ticket.acquire()

    @contextmanager
    def given_away(self) -> Iterator[None]:
        """Within, it is not this thread's turn, though it may be around it; afterwards it is again, as soon as it comes."""
        depth, mine, patient = self._depth, self._holder == threading.get_ident(), self._patient
        if mine:
            self._depth = 1
            self.__exit__()
        try:
            yield
        finally:
            if mine:
                self._take(patient)
                self._depth = depth


_turns = Turns()


@contextmanager
def compute() -> Iterator[None]:
    """The right to compute. Wrap in it whatever takes more than about 5 ms; what is wrapped may wrap parts of itself again."""
    with _turns:
        yield


@contextmanager
def train() -> Iterator[None]:
    """The right to compute, for a run that asks for it again and again: whoever looks at a run waits for one of them at a time,
    not for all that train."""
    with _turns.patiently():
        yield


@contextmanager
def letting_others_compute() -> Iterator[None]:
    """Without the right to compute, wherever it stands: while something long lets others have a turn, or waits for them."""
    with _turns.given_away():
        yield


def how_many_wait() -> int:
    """For the right to compute."""
    return _turns.waiting


def give_way() -> None:
    """Let those compute who asked for it, in the middle of something long."""
    with _turns.given_away():
        pass
