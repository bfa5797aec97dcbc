"""The hall of a session: its room and its door, which is made at the first question."""

import time
from collections.abc import Callable

from pages.app.server.room.registry import Door, on_loop
from pages.app.server.room.room import Asked, Room

PATIENCE = 60.0  # seconds without a phone, after which the page says what to do


class Hall:
    """Changes the room on the server's event loop alone, and wakes the phones."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.room = Room()
        self.door: Door | None = None
        self.by_hand = False  # whether hands are counted instead of phones
        self._now, self._asked_at = now, 0.0

    def ask(self, asked: Asked) -> None:
        """Open the first vote on a question."""
        self._asked_at = self._now()
        self.change(lambda room: room.ask(asked))

    def change(self, make: Callable[[Room], None]) -> None:
        """Change the room, and tell the phones."""

        def made() -> None:
            self.door = self.door or Door(self.room)
            make(self.room)
            self.door.wake()

        on_loop(made)

    def turn_door(self, what: str) -> None:
        """Take another "code", or "shut" or "open" the door to phones that have not joined."""
        if self.door:
            on_loop(self.door.change_code if what == "code" else lambda: setattr(self.door, "shut", what == "shut"))

    @property
    def is_patient(self) -> bool:
        """Whether phones may still be on their way."""
        return bool(self.room.phones) or self._now() - self._asked_at < PATIENCE
