"""Functions with which pages compute under the compute lock of this process (``core/training/run/fair_lock.py``)."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from core.training.run.fair_lock import FairLock, compute_lock

Item = TypeVar("Item")
END = object()
_set_ups = FairLock()


def with_compute_lock(make: Callable[[], Item]) -> Item:
    """Return ``make()``, called under the compute lock."""
    with compute_lock:
        return make()


def unlocked(make: Callable[[], Item]) -> Item:
    """Return ``make()``, called without the lock: for computations that take less time than waiting for it."""
    return make()


def iterate_with_compute_lock(items: Iterable[Item]) -> Iterator[Item]:
    """Iterate over a long computation; the lock is acquired for each item, so that other threads compute between two items."""
    rest = iter(items)
    while True:
        compute_lock.yield_lock()
        item = with_compute_lock(lambda: next(rest, END))
        if item is END:
            return
        yield item


def with_setup_lock(make: Callable[[], Item]) -> Item:
    """Return ``make()``, which is slow and rare, called without the compute lock, so that other sessions do not wait for it.

    Only one such call runs at a time, as it may take a gigabyte of memory.
    """
    with compute_lock.released(), _set_ups:
        return make()
