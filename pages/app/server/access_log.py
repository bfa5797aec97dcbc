"""The access log: one line when a browser tab connects and one when it disconnects, without texts that users typed.

Tabs are numbered, as the id of a Streamlit session is a secret.
"""

import logging
import re
import time
from collections.abc import Callable
from itertools import count
from typing import Any

import streamlit as st
from starlette.websockets import WebSocketDisconnected

from core.config.link import encoded, shortened, to_query
from core.config.settings import Settings

LOG = logging.getLogger("rnn_dashboard")
SERVER = logging.getLogger("uvicorn.error")
LONGEST = 1000  # characters of a log message of Streamlit
SESSION_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)  # a UUID
_numbers = count(1)


def log_connected(settings: Settings) -> Callable[[Settings, int], None]:
    """Log that a tab has connected. Return the function that logs its end, with the settings and the update of its run."""
    number, began = next(_numbers), time.monotonic()
    LOG.info("visitor %d connected: %s", number, link_of(settings))

    def log_disconnected(settings: Settings, update: int) -> None:
        lasted = time.monotonic() - began
        LOG.info("visitor %d disconnected after %.0f s at update %d: %s", number, lasted, update, link_of(settings))

    return log_disconnected


def configure() -> None:
    """Write the access log to stderr, and filter the messages of Uvicorn and Streamlit. Call this once per process."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter(st.get_option("logger.messageFormat")))
    handler.formatter.default_msec_format = "%s.%03d"  # as in Streamlit's log
    LOG.addHandler(handler)
    LOG.setLevel(st.get_option("logger.level").upper())
    LOG.propagate = False
    SERVER.addFilter(_is_no_disconnect)  # a client that disconnects during a send is not a server error
    sanitize_streamlit()


def sanitize_streamlit() -> None:
    """Sanitize Streamlit's log messages: escape unprintable characters, limit the length, and remove secret session ids."""
    # A filter at a logger does not see the records of loggers below it, and each module of Streamlit has a logger of its own.
    make = logging.getLogRecordFactory()

    def make_record(name: str, *given: Any, **named: Any) -> logging.LogRecord:
        kind = SanitizedRecord if str(name).partition(".")[0] == "streamlit" else make
        return kind(name, *given, **named)

    logging.setLogRecordFactory(make_record)


class SanitizedRecord(logging.LogRecord):
    """A record whose message is one printable line of limited length, without session ids."""

    def getMessage(self) -> str:
        message = SESSION_ID.sub("<id>", super().getMessage())
        shown = (one if one.isprintable() else one.encode("unicode_escape").decode() for one in message[:LONGEST])
        return "".join(shown) + "…" * (len(message) > LONGEST)


def _is_no_disconnect(record: logging.LogRecord) -> bool:
    return not (record.exc_info and isinstance(record.exc_info[1], WebSocketDisconnected))


def link_of(settings: Settings) -> str:
    """The query string of a link to a run with these settings, which contain no typed text."""
    query, _ = shortened(to_query(settings))
    return f"?{encoded(query)}" if query else "the defaults"
