"""A limit on how many pages are drawn at once in this process.

When a class opens the dashboard, all script runs share the global interpreter lock: if they run at once, every page is finished
only when the last one is. If two run at a time, most pages are finished far sooner and none later.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

LIMIT = 2  # pages at once
TIMEOUT = 5.0  # seconds after which a page is drawn without a slot, so that two slow pages cannot block all others

_slots = threading.BoundedSemaphore(LIMIT)


@contextmanager
def draw_slot() -> Iterator[None]:
    """Wait up to ``TIMEOUT`` seconds for one of ``LIMIT`` slots, and hold the slot until the block ends."""
    acquired = _slots.acquire(timeout=TIMEOUT)
    try:
        yield
    finally:
        if acquired:
            _slots.release()
