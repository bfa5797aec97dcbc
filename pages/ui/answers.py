"""What a browser says wakes the script that waits for it.

One script that looked every few milliseconds whether its answer has come would do no harm. Of a class that comes at once all wait
together, and their looking would be a fifth of all that the server does.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue

_waiting: dict[str, SimpleQueue[None]] = {}  # by the name of the session


@contextmanager
def awaited(session: str) -> Iterator[Callable[[float], None]]:
    """Within, what is given waits until this session's browser has said something since, for so many seconds at most."""
    said: SimpleQueue[None] = SimpleQueue()
    _waiting[session] = said

    def wait(seconds: float) -> None:
        with suppress(Empty):
            said.get(timeout=seconds)

    try:
        yield wait
    finally:
        if _waiting.get(session) is said:  # no newer script of the session waits
            del _waiting[session]


def came(session: str) -> None:
    """The server has heard something from this session's browser. From any thread."""
    said = _waiting.get(session)
    if said is not None:
        said.put(None)
