"""The server's log: a line when a visitor comes and one when they leave, without a word of what they read, wrote or brought.

Visitors have numbers of their own: the name of a session would let whoever reads the log into it.
"""

import logging
import time
from itertools import count

from starlette.websockets import WebSocketDisconnected
from streamlit.logger import get_logger

from core.link import shortened, spelled
from core.query import to_query
from core.settings import Settings

LOG = get_logger("rnn_dashboard")
SERVERS = logging.getLogger("uvicorn.error")
_numbers = count(1)


class Visit:
    """One tab, from when its page opens until its connection is gone."""

    def __init__(self) -> None:
        self._number = 0
        self._began = 0.0

    def begun(self, settings: Settings) -> None:
        self._number, self._began = next(_numbers), time.monotonic()
        LOG.info("visitor %d came: %s", self._number, link_of(settings))

    def ended(self, settings: Settings, update: int) -> None:
        lasted = time.monotonic() - self._began
        LOG.info("visitor %d left after %.0f s at update %d: %s", self._number, lasted, update, link_of(settings))


def leave_out_who_is_gone() -> None:
    """Somebody who leaves while something is sent to them is no error of the server's. Once per process."""
    SERVERS.addFilter(_is_no_good_bye)


def _is_no_good_bye(record: logging.LogRecord) -> bool:
    return not (record.exc_info and isinstance(record.exc_info[1], WebSocketDisconnected))


def link_of(settings: Settings) -> str:
    """The query of a link to a run with these settings, which hold no text of anybody's."""
    query, _ = shortened(to_query(settings))
    return f"?{spelled(query)}" if query else "the defaults"
