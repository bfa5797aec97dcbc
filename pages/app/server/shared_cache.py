"""What is found once and is the same for everybody, in no more memory than is allowed."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import CancelledError, Future
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from core.config.limits import LIMITS, MEGABYTE
from core.training.memory import object_bytes
from core.training.run.fair_lock import FairLock

BUDGET = LIMITS.shared_megabytes * MEGABYTE  # bytes of all that is kept in this process because somebody may ask for it again


class Key(NamedTuple):
    """One kind of result, and for what it is."""

    kind: Hashable
    what: Hashable


class SharedCache:
    """Results by key. Those that were used last stay: so many of a kind, and no more than ``budget`` bytes of all.

    What is let go of is found again as long as somebody still holds it. Methods may be called from any thread.
    """

    def __init__(self, budget: int = BUDGET) -> None:
        self.budget = budget
        self._turns = FairLock()
        self._kept: OrderedDict[Key, Future] = OrderedDict()  # the newest last; what is being found is among them
        self._sizes: dict[Key, int] = {}  # of what has been found
        self._held: WeakValueDictionary[Key, Any] = WeakValueDictionary()

    @property
    def bytes(self) -> int:
        """What all of it takes."""
        return sum(self._sizes.values())

    def find(self, key: Key, make: Callable[[], Any], most: int, made_of: Iterable[Any] = ()) -> Any:
        """What ``make`` returns, or returned for somebody else. Of those who ask at once one makes it, and the others wait.

        What ``made_of`` holds is not counted with the result. Raises what ``make`` raises; who asks next tries again.
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
            except CancelledError:  # who made it could not
                continue

    def clear(self) -> None:
        """Let go of all that is found."""
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
            self._remember_weakly(key, result)
            self._evict(key.kind, most)
        found.set_result(result)
        return result

    def _remember_weakly(self, key: Key, result: Any) -> None:
        if hasattr(result, "__weakref__"):
            self._held[key] = result

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
