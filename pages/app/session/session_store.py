"""The shelf: what a tab leaves behind is kept for a while, under a name that only this tab knows.

A name is a secret. It is used once: what is taken has another name ever after. Nothing here is written down or logged.
"""

import secrets
import time
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from core.limits import LIMITS, MEGABYTE
from core.training.turns import Turns

KEPT_FOR = float(LIMITS.kept_seconds)  # that a tab may be away
BUDGET = LIMITS.kept_megabytes * MEGABYTE  # bytes of all that is kept in this process
Thing = TypeVar("Thing")


def new_name() -> str:
    """A name that nobody can guess: 256 random bits."""
    return secrets.token_urlsafe(32)


class Kept(NamedTuple, Generic[Thing]):
    """Something on the shelf, its bytes, and how long it stays (in seconds of the shelf's clock)."""

    thing: Thing
    size: int
    until: float


class Shelf(Generic[Thing]):
    """What is put here can be taken once, by its name, for ``seconds``; where it is more than ``budget`` bytes, the oldest leave.

    ``gone(thing)`` hears of all that was not taken. Methods may be called from any thread.
    """

    def __init__(
        self,
        gone: Callable[[Thing], None] = lambda _: None,
        *,
        seconds: float = KEPT_FOR,
        budget: int = BUDGET,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.seconds = seconds
        self._gone, self._budget, self._clock = gone, budget, clock
        self._turns = Turns()
        self._kept: dict[str, Kept[Thing]] = {}  # the oldest first

    def put(self, name: str, thing: Thing, size: int) -> None:
        """Keep it, and let go of what there is no more room for: perhaps of this very thing."""
        with self._turns:
            self._kept.pop(name, None)
            self._kept[name] = Kept(thing, size, self._clock() + self.seconds)
            self._tidy()

    def take(self, name: str) -> Thing | None:
        """What was put here under this name, now off the shelf; None where there is nothing (any more)."""
        with self._turns:
            self._tidy()
            kept = self._kept.pop(name, None)
            return kept and kept.thing

    def tidy(self) -> None:
        """Let go of what is over."""
        with self._turns:
            self._tidy()

    def clear(self) -> None:
        """Let go of everything."""
        with self._turns:
            while self._kept:
                self._drop_oldest()

    def __len__(self) -> int:
        return len(self._kept)

    def _tidy(self) -> None:
        now = self._clock()
        while self._kept and (next(iter(self._kept.values())).until <= now or self._size() > self._budget):
            self._drop_oldest()

    def _size(self) -> int:
        return sum(kept.size for kept in self._kept.values())

    def _drop_oldest(self) -> None:
        self._gone(self._kept.pop(next(iter(self._kept))).thing)
