"""The lock under which texts are loaded and counted, outside the scheduler (``core/training/run/scheduler.py``)."""

import threading
from collections.abc import Callable
from typing import TypeVar

Item = TypeVar("Item")
_set_ups = threading.Lock()


def with_setup_lock(make: Callable[[], Item]) -> Item:
    """Return ``make()``, which is slow and rare. Only one such call runs at a time, as it may take a gigabyte of memory."""
    with _set_ups:
        return make()
