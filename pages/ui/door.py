"""The door: who comes while the server is full waits in line, and is let in when somebody leaves."""

from collections.abc import Callable
from functools import cache

from core.limits import LIMITS
from core.training.room import is_room
from core.training.turns import Turns


class Place:
    """Somebody at the door, or inside. ``gone`` for good once the connection is."""

    def __init__(self) -> None:
        self.gone = False


class Door:
    """Lets in ``most`` at once, and as long as there ``is_room``; one in any case. Methods may be called from any thread."""

    def __init__(self, most: int, is_room: Callable[[], bool] = lambda: True) -> None:
        self.most = most
        self._is_room = is_room
        self._turns = Turns()
        self._inside: set[Place] = set()
        self._line: list[Place] = []

    @property
    def inside(self) -> int:
        return len(self._inside)

    @property
    def waiting(self) -> int:
        return len(self._line)

    def ask(self, who: Place) -> int:
        """0 for who is inside, now or already; the place in the line for who waits, from 1."""
        with self._turns:
            if who in self._inside or who.gone:
                return 0
            if who not in self._line:
                self._line.append(who)
            place = self._line.index(who) + 1
            if place > self.most - self.inside or (self._inside and not self._is_room()):
                return place
            self._line.remove(who)
            self._inside.add(who)
            return 0

    def leave(self, who: Place) -> None:
        """Who has ``gone``."""
        with self._turns:
            self._inside.discard(who)
            if who in self._line:
                self._line.remove(who)


@cache
def door() -> Door:
    """That of this process."""
    return Door(LIMITS.sessions, is_room)
