"""The doors of this process's rooms, and how a script changes a room: on the server's event loop alone.

So a room needs no lock, and nothing waits for it. Without a server (tests, pages written to files) there is one thread only,
which makes the change itself.
"""

import asyncio
import hmac
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar
from weakref import WeakSet, WeakValueDictionary

from pages.app.server.room.room import Room

Result = TypeVar("Result")
TIMEOUT = 5.0  # seconds that a script waits for the loop
ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # no 0 O 1 I L: a code is read from a wall and typed
LETTERS = 4  # of a code
AT_ONCE, EACH_SECOND = 400, 2.0  # new phones from one address: a hall comes through one, and comes at once
ADDRESSES = 10_000  # that are counted, at most
_loop: asyncio.AbstractEventLoop | None = None
doors: WeakValueDictionary[str, "Door"] = WeakValueDictionary()  # by code, present and earlier ones


def begin() -> None:
    """Use the running event loop. Called once, when the server starts."""
    global _loop
    _loop = asyncio.get_running_loop()


def on_loop(change: Callable[[], Result]) -> Result:
    """Call ``change`` on the event loop, from a script's thread, and return its result."""
    if _loop is None or not _loop.is_running():
        return change()

    async def call() -> Result:
        return change()

    return asyncio.run_coroutine_threadsafe(call(), _loop).result(TIMEOUT)


class Door:
    """How phones find a room and stay in it: the code on the wall, and a signed name for each phone that was let in."""

    def __init__(self, room: Room, now: Callable[[], float] = time.monotonic) -> None:
        self.room, self.code, self.shut = room, "", False
        self._now, self._key = now, secrets.token_bytes(32)
        self._arrivals: dict[str, tuple[float, float]] = {}  # address -> phones that it may still bring, and when that was so
        self._waiting: WeakSet[asyncio.Event] = WeakSet()
        self.change_code()

    def change_code(self) -> None:
        """Take another code, and begin to count arrivals anew. Who has joined stays, under the earlier code."""
        while (code := "".join(secrets.choice(ALPHABET) for _ in range(LETTERS))) in doors:
            pass
        self.code = code
        self._arrivals.clear()
        self.room.make_places()
        doors[code] = self

    def admit(self, address: str) -> str:
        """A signed name for a new phone from this address; empty if too many have come from there."""
        left, at = self._arrivals.get(address, (float(AT_ONCE), self._now()))
        left = min(AT_ONCE, left + EACH_SECOND * (self._now() - at))
        if address not in self._arrivals and len(self._arrivals) >= ADDRESSES:
            return ""
        self._arrivals[address] = max(left - 1, 0.0), self._now()
        if left < 1:
            return ""
        name = secrets.token_hex(8)
        return f"{name}.{self._signed(name)}"

    def name_of(self, signed: str) -> str:
        """The name of the phone with this signed name; empty if this door has not given it."""
        name, _, signature = signed.partition(".")
        return name if hmac.compare_digest(signature.encode(), self._signed(name).encode()) else ""

    def _signed(self, name: str) -> str:
        return hmac.new(self._key, name.encode(errors="replace"), "sha256").hexdigest()[:32]

    def wake(self) -> None:
        """Answer the requests that wait for news."""
        for event in list(self._waiting):
            event.set()

    async def wait(self, version: int, seconds: float) -> None:
        """Wait until the room is of another version."""
        event = asyncio.Event()
        self._waiting.add(event)
        if version == self.room.version:
            with suppress(TimeoutError):
                await asyncio.wait_for(event.wait(), seconds)
