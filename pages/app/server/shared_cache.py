"""A cache with a memory limit that is shared by all sessions."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import CancelledError, Future
from functools import wraps
from inspect import signature
from itertools import compress
from operator import not_
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from core.config.limits import LIMITS, MEGABYTE
from core.training.memory import object_bytes
from core.training.run.fair_lock import FairLock, compute_lock
from pages.app.server.compute_lock import Item, with_compute_lock

BUDGET = LIMITS.shared_megabytes * MEGABYTE  # bytes of all entries in this process


class Key(NamedTuple):
    """The key of a result: its kind (the function that computes it) and the arguments it was computed for."""

    kind: Hashable
    what: Hashable


class SharedCache:
    """Results by key, with LRU eviction: each kind has a maximum number of results, and all together ``budget`` bytes.

    An evicted result is still found while it is referenced elsewhere. Methods may be called from any thread.
    """

    def __init__(self, budget: int = BUDGET) -> None:
        self.budget = budget
        self._turns = FairLock()
        self._kept: OrderedDict[Key, Future] = OrderedDict()  # least recently used first, with unfinished results
        self._sizes: dict[Key, int] = {}  # bytes of each finished result
        self._held: WeakValueDictionary[Key, Any] = WeakValueDictionary()

    @property
    def bytes(self) -> int:
        """The size of all results in bytes."""
        return sum(self._sizes.values())

    def find(self, key: Key, make: Callable[[], Any], most: int, made_of: Iterable[Any] = ()) -> Any:
        """The cached result, or the result of ``make()``. Of concurrent calls, one computes it and the others wait.

        The size of the objects in ``made_of`` is not counted. Exceptions of ``make`` are raised and not cached.
        """
        while True:
            with self._turns:
                mine = key not in self._kept
                found = self._kept.setdefault(key, Future())
                self._kept.move_to_end(key)
            if mine:
                return self._make(key, found, make, most, made_of)
            try:
                return found.result()
            except CancelledError:  # the thread that computed it raised an exception: try again
                continue

    def clear(self) -> None:
        """Remove all results."""
        with self._turns:
            for key in list(self._sizes):
                self._drop(key)
            self._held.clear()

    def _make(self, key: Key, found: Future, make: Callable[[], Any], most: int, made_of: Iterable[Any]) -> Any:
        try:
            result = self._held.get(key)
            result = make() if result is None else result
            size = object_bytes(result, made_of)
        except BaseException:
            with self._turns:
                del self._kept[key]
            found.cancel()
            raise
        with self._turns:
            self._sizes[key] = size
            if hasattr(result, "__weakref__"):
                self._held[key] = result
            self._evict(key.kind, most)
        found.set_result(result)
        return result

    def _evict(self, kind: Hashable, most: int) -> None:
        of_kind = [key for key in self._kept if key.kind == kind and key in self._sizes]
        for key in of_kind[: max(len(of_kind) - most, 0)]:
            self._drop(key)
        for key in list(self._kept):
            if self.bytes <= self.budget:
                return
            if key in self._sizes:
                self._drop(key)

    def _drop(self, key: Key) -> None:
        del self._kept[key], self._sizes[key]


common = SharedCache()


def shared(
    most: int, when: Callable[[Callable[[], Item]], Item] = with_compute_lock
) -> Callable[[Callable[..., Item]], Callable[..., Item]]:
    """A decorator that caches the results of a function for all sessions: the ``most`` recently used, within the memory budget.

    Parameters whose names begin with _ are not part of the key. ``when``: ``with_compute_lock`` or ``with_setup_lock``. A thread
    that waits for a result computed by another thread releases the compute lock while it waits.
    """

    def sharing(make: Callable[..., Item]) -> Callable[..., Item]:
        kind = f"{make.__module__}.{make.__qualname__}"
        of_key = [not name.startswith("_") for name in signature(make).parameters]

        @wraps(make)
        def find(*how: Any) -> Item:
            what, made_of = tuple(compress(how, of_key)), tuple(compress(how, map(not_, of_key)))
            with compute_lock.released():
                return common.find(Key(kind, what), lambda: when(lambda: make(*how)), most, made_of)

        return find

    return sharing
