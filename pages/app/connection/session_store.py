"""A store with a time limit and a memory limit, from which each object can be taken once, by name.

A name is a secret token: anyone who has it can restore the session, so the tab gets a new name afterwards. Names and objects are
never written to disk or logged.
"""

import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from core.config.limits import LIMITS, MEGABYTE

TTL = float(LIMITS.kept_seconds)  # seconds for which the session of a disconnected tab is stored
BUDGET = LIMITS.kept_megabytes * MEGABYTE  # bytes of all stored sessions in this process


class Entry(NamedTuple):
    """A stored object, its size in bytes, and its expiry time (in seconds of the store's clock)."""

    thing: Any
    size: int
    expires: float


class TTLStore:
    """Stores objects for ``seconds``; when their total size exceeds ``budget`` bytes, the oldest are evicted first.

    ``evicted(thing)`` is called for each evicted object. Methods may be called from any thread.
    """

    def __init__(
        self,
        evicted: Callable[[Any], None],
        *,
        seconds: float = TTL,
        budget: int = BUDGET,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.seconds = seconds
        self._evicted, self._budget, self._clock = evicted, budget, clock
        self._lock = threading.RLock()
        self._entries: dict[str, Entry] = {}  # oldest first

    def store(self, name: str, thing: Any, size: int = 0) -> None:
        """Store an object of ``size`` bytes (0: not known yet), then evict the oldest beyond the budget: the new one, too, if it
        is larger."""
        with self._lock:
            self._entries.pop(name, None)
            self._entries[name] = Entry(thing, size, self._clock() + self.seconds)
            self.evict_expired()

    def resize(self, name: str, size: int) -> None:
        """Note the size of an object in bytes, then evict the oldest beyond the budget: this one, too, if it is larger. No effect
        if it is no longer stored."""
        with self._lock:
            if name in self._entries:
                self._entries[name] = self._entries[name]._replace(size=size)
                self.evict_expired()

    def pop(self, name: str) -> Any:
        """Remove and return the object stored under this name; None if there is none or it has expired."""
        with self._lock:
            self.evict_expired()
            entry = self._entries.pop(name, None)
            return entry and entry.thing

    def evict_expired(self) -> None:
        """Evict expired objects, and the oldest ones beyond the budget."""
        with self._lock:
            now = self._clock()
            while self._entries:
                name, oldest = next(iter(self._entries.items()))
                if oldest.expires > now and sum(entry.size for entry in self._entries.values()) <= self._budget:
                    return
                del self._entries[name]
                self._evicted(oldest.thing)

    def __len__(self) -> int:
        return len(self._entries)
