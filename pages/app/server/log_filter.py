"""Keeps session ids, which are secrets, and line breaks that a client sends out of Streamlit's log."""

import logging
import re
from typing import Any

from starlette.websockets import WebSocketDisconnected

SESSION_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)  # a UUID
LONGEST = 1000  # characters of a message


class OneLine(logging.LogRecord):
    """A record whose message is one printable line of limited length, without session ids."""

    def getMessage(self) -> str:
        message = SESSION_ID.sub("<id>", super().getMessage())[:LONGEST]
        return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in message)


def configure() -> None:
    """Filter the messages of Streamlit, and Uvicorn's error for a client that leaves while it is sent something."""
    # A filter at a logger does not see the records of loggers below it, and each module of Streamlit has a logger of its own.
    make = logging.getLogRecordFactory()

    def make_record(name: str, *given: Any, **named: Any) -> logging.LogRecord:
        return (OneLine if str(name).partition(".")[0] == "streamlit" else make)(name, *given, **named)

    logging.setLogRecordFactory(make_record)
    logging.getLogger("uvicorn.error").addFilter(_is_error)


def _is_error(record: logging.LogRecord) -> bool:
    return not (record.exc_info and isinstance(record.exc_info[1], WebSocketDisconnected))
