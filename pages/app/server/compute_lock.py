"""What pages compute, they compute under the compute lock of this process (``core/training/run/fair_lock.py``)."""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from inspect import signature
from itertools import compress
from operator import not_
from typing import Any, TypeVar

from core.training.run.fair_lock import FairLock, compute_lock
from pages.app.server.shared_cache import Key, common

Item = TypeVar("Item")
END = object()
_set_ups = FairLock()


def with_compute_lock(make: Callable[[], Item]) -> Item:
    """``make()``, when it is this reader's turn."""
    with compute_lock:
        return make()


def unlocked(make: Callable[[], Item]) -> Item:
    """``make()``, which takes but a moment: less than a turn comes late."""
    return make()


def iterate_with_compute_lock(items: Iterable[Item]) -> Iterator[Item]:
    """Something long, in parts: each item is computed in a turn of its own."""
    rest = iter(items)
    while True:
        compute_lock.yield_lock()
        item = with_compute_lock(lambda: next(rest, END))
        if item is END:
            return
        yield item


def with_setup_lock(make: Callable[[], Item]) -> Item:
    """``make()``, which takes long and is rarely asked for: beside whoever computes, so that nobody waits for it who did not ask.

    One at a time: on the way it may take a gigabyte.
    """
    with compute_lock.released(), _set_ups:
        return make()


def shared(
    most: int, when: Callable[[Callable[[], Item]], Item] = with_compute_lock
) -> Callable[[Callable[..., Item]], Callable[..., Item]]:
    """A decorator: the function's results are cached for all sessions, the newest ``most`` of them as far as there is room
    (``pages/app/server/shared_cache.py``).

    Arguments whose names begin with _ are not part of the key. ``when``: ``with_compute_lock`` or ``with_setup_lock``. A thread
    that waits for the result of another one gives up the compute lock meanwhile.
    """

    def sharing(make: Callable[..., Item]) -> Callable[..., Item]:
        kind = f"{make.__module__}.{make.__qualname__}"
        tells = [not name.startswith("_") for name in signature(make).parameters]

        @wraps(make)
        def find(*how: Any) -> Item:
            what, made_of = tuple(compress(how, tells)), tuple(compress(how, map(not_, tells)))
            with compute_lock.released():
                return common.find(Key(kind, what), lambda: when(lambda: make(*how)), most, made_of)

        return find

    return sharing
