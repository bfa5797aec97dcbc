"""A limit on how many pages are drawn at once in this process.

The scripts of a class that opens the dashboard share the interpreter's lock: drawn all together, every page is there only when
the last one is. Drawn two at a time, most are there far sooner and none later.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

LIMIT = 2  # pages at once
TIMEOUT = 5.0  # seconds after which a page is drawn in any case, so that two slow ones cannot hold up all others

_slots = threading.BoundedSemaphore(LIMIT)


@contextmanager
def draw_slot() -> Iterator[None]:
    """Wait until fewer than ``LIMIT`` pages are being drawn, at most ``TIMEOUT`` seconds; count as one until the block ends."""
    acquired = _slots.acquire(timeout=TIMEOUT)
    try:
        yield
    finally:
        if acquired:
            _slots.release()
