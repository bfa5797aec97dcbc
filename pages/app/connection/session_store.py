"""A store of things for a limited time and in limited memory, each under a name that works once.

A name is a secret token: whoever has it can restore a session, so restoring issues a new one. Nothing is
written to disk or logged.
"""

import secrets
import time
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from core.config.limits import LIMITS, MEGABYTE
from core.training.run.fair_lock import FairLock

TTL = float(LIMITS.kept_seconds)  # that a tab may be away
BUDGET = LIMITS.kept_megabytes * MEGABYTE  # bytes of all that is stored in this process
Thing = TypeVar("Thing")


def new_name() -> str:
    """A name that nobody can guess: 256 random bits."""
    return secrets.token_urlsafe(32)


class Entry(NamedTuple, Generic[Thing]):
    """A stored thing, its bytes, and when it expires (in seconds of the store's clock)."""

    thing: Thing
    size: int
    expires: float


class TTLStore(Generic[Thing]):
    """Stores things for ``seconds``; beyond ``budget`` bytes the oldest are evicted first.

    ``evicted(thing)`` is called with each that expired or had no room. Methods may be called from any thread.
    """

    def __init__(
        self,
        evicted: Callable[[Thing], None] = lambda _: None,
        *,
        seconds: float = TTL,
        budget: int = BUDGET,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.seconds = seconds
        self._evicted, self._budget, self._clock = evicted, budget, clock
        self._lock = FairLock()
        self._entries: dict[str, Entry[Thing]] = {}  # the oldest first

    def store(self, name: str, thing: Thing, size: int) -> None:
        """Store a thing of so many bytes, and evict what there is no room for: perhaps this very thing."""
        with self._lock:
            self._entries.pop(name, None)
            self._entries[name] = Entry(thing, size, self._clock() + self.seconds)
            self.evict_expired()

    def pop(self, name: str) -> Thing | None:
        """Remove and return what is stored under this name; None where there is nothing (any more)."""
        with self._lock:
            self.evict_expired()
            entry = self._entries.pop(name, None)
            return entry and entry.thing

    def evict_expired(self) -> None:
        """Remove what has expired or has no room."""
        with self._lock:
            now = self._clock()
            while entries := list(self._entries.values()):
                if entries[0].expires > now and sum(entry.size for entry in entries) <= self._budget:
                    return
                self._evict_oldest()

    def clear(self) -> None:
        """Evict everything."""
        with self._lock:
            while self._entries:
                self._evict_oldest()

    def __len__(self) -> int:
        return len(self._entries)

    def _evict_oldest(self) -> None:
        self._evicted(self._entries.pop(next(iter(self._entries))).thing)
