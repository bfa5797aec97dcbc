"""Texts on their way: each is fetched by one thread, for all visitors of this process, and none of them waits for it."""

import threading
import time
from collections.abc import Callable
from typing import Literal, NamedTuple

from core.config.language import lazy_gettext, message_of
from core.text.remote import REMOTES, WAY_OUT, fetch, is_here

PATIENCE = 120.0  # seconds until a text that still comes is given up
GIVEN_UP = lazy_gettext("It takes too long: the connection is too slow, or hangs. {way_out}", way_out=WAY_OUT)


class Arrival(NamedTuple):
    """How far a text is: ``bytes`` of it have come; why it failed, in a sentence, where it did."""

    state: Literal["absent", "coming", "here", "failed"]
    bytes: int = 0
    said: str = ""


class Download:
    """A text that is being fetched; ``fetch`` is told how to say how far it is, and raises ``ValueError`` with a sentence.

    The thread cannot be stopped while it waits for a server. One that hangs is given up: whoever asks again has a new one.
    """

    def __init__(self, fetch: Callable[[Callable[[int], None]], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._fetch, self._clock, self._bytes, self._said = fetch, clock, 0, ""
        self._began = clock()
        self._thread = threading.Thread(target=self._run, name="download", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._fetch(self._tell)
        except ValueError as error:
            self._said = message_of(error)

    def _tell(self, come: int) -> None:
        self._bytes = come

    def arrival(self) -> Arrival:
        """How far it is. One that is no longer on its way, and has not failed, is here."""
        if self._thread.is_alive():
            late = self._clock() - self._began > PATIENCE
            return Arrival("failed", self._bytes, GIVEN_UP) if late else Arrival("coming", self._bytes)
        return Arrival("failed" if self._said else "here", self._bytes, self._said)

    def join(self, seconds: float) -> bool:
        """Wait for its end; whether it came."""
        self._thread.join(seconds)
        return not self._thread.is_alive()


_downloads: dict[str, Download] = {}
_lock = threading.Lock()


def begin(name: str) -> Download:
    """Fetch a text, unless that is being done."""
    with _lock:
        if name not in _downloads or _downloads[name].arrival().state != "coming":
            _downloads[name] = Download(lambda tell: fetch(name, tell))
        return _downloads[name]


def arrival(name: str) -> Arrival:
    """How far a text is."""
    now = _downloads[name].arrival() if name in _downloads else Arrival("absent")
    if is_here(name):  # not before: it may come meanwhile
        return Arrival("here", REMOTES[name].size)
    return now if now.state != "here" else Arrival("absent")  # it came, and was taken away since
