"""A cache with a memory limit that is shared by all sessions."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from functools import wraps
from inspect import signature
from itertools import compress
from operator import not_
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from core.config.limits import LIMITS, MEGABYTE
from core.training.memory import object_bytes
from core.training.run.scheduler import compute, scheduler

Item = TypeVar("Item")
BUDGET = LIMITS.shared_megabytes * MEGABYTE  # bytes of all entries in this process


class Key(NamedTuple):
    """The key of a result: its kind (the function that computes it) and the arguments it was computed for."""

    kind: Hashable
    arguments: Hashable


class Entry(NamedTuple):
    """A result, and its size in bytes."""

    result: Any
    size: int


class SharedCache:
    """Results by key, with LRU eviction: each kind has a maximum number of results, and all together ``budget`` bytes.

    An evicted result is still found while it is referenced elsewhere. Methods may be called from any thread.
    """

    def __init__(self, budget: int = BUDGET) -> None:
        self.budget = budget
        self._turns = threading.Lock()  # guards the fields below
        self._entries: OrderedDict[Key, Entry] = OrderedDict()  # least recently used first
        self._held: WeakValueDictionary[Key, Any] = WeakValueDictionary()
        self._making: WeakValueDictionary[Key, threading.Lock] = WeakValueDictionary()  # a lock per key, in use by ``find``

    @property
    def bytes(self) -> int:
        """The size of all results in bytes."""
        return sum(entry.size for entry in self._entries.values())

    def find(self, key: Key, make: Callable[[], Any], max_entries: int, uncounted: Iterable[Any] = ()) -> Any:
        """The cached result, or the result of ``make()``. Of concurrent calls, one computes it and the others wait.

        The size of the objects in ``uncounted`` is not counted. Exceptions of ``make`` are raised and not cached.
        """
        with self._turns:
            making = self._making.setdefault(key, threading.Lock())
        with making:
            with self._turns:
                if key in self._entries:
                    self._entries.move_to_end(key)
                    return self._entries[key].result
                result = self._held.get(key)
            result = make() if result is None else result
            size = object_bytes(result, uncounted)
            with self._turns:
                self._entries[key] = Entry(result, size)
                if hasattr(result, "__weakref__"):
                    self._held[key] = result
                self._evict(key.kind, max_entries)
            return result

    def _evict(self, kind: Hashable, max_entries: int) -> None:
        of_kind = [key for key in self._entries if key.kind == kind]
        for key in of_kind[: max(len(of_kind) - max_entries, 0)]:
            del self._entries[key]
        while self._entries and self.bytes > self.budget:
            self._entries.popitem(last=False)


process_cache = SharedCache()


def cached_for_all_sessions(
    max_entries: int, call_with: Callable[[Callable[[], Item]], Item] = compute
) -> Callable[[Callable[..., Item]], Callable[..., Item]]:
    """A decorator that caches results of a function for all sessions: the ``max_entries`` last used, within the memory budget.

    Parameters whose names begin with _ are not part of the key. ``call_with``: ``compute`` or ``with_setup_lock``.
    """

    def decorate(make: Callable[..., Item]) -> Callable[..., Item]:
        kind = f"{make.__module__}.{make.__qualname__}"
        in_key = [not name.startswith("_") for name in signature(make).parameters]

        @wraps(make)
        def find(*arguments: Any) -> Item:
            key_arguments, uncounted = tuple(compress(arguments, in_key)), tuple(compress(arguments, map(not_, in_key)))
            if scheduler.is_this_thread():
                raise RuntimeError("A computation cannot wait for a cached result: find it before, or outside.")
            return process_cache.find(
                Key(kind, key_arguments), lambda: call_with(lambda: make(*arguments)), max_entries, uncounted
            )

        return find

    return decorate
