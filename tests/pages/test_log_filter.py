"""What is kept out of the logs of Streamlit and Uvicorn."""

import logging
import uuid

import pytest
from starlette.websockets import WebSocketDisconnected

from pages.app.server import log_filter

STREAMLIT = "streamlit.of_a_module.that_is_not_imported_yet"


@pytest.fixture(autouse=True)
def configured():
    """Filter the logs during a test."""
    make, server = logging.getLogRecordFactory(), logging.getLogger("uvicorn.error")
    before = list(server.filters)
    log_filter.configure()
    yield
    logging.setLogRecordFactory(make)
    server.filters[:] = before


def logged(caplog: pytest.LogCaptureFixture, name: str, message: str, *given: object) -> str:
    caplog.clear()
    logging.getLogger(name).warning(message, *given)
    return caplog.messages[0]


@pytest.mark.parametrize(("error", "is_logged"), [(WebSocketDisconnected("gone"), False), (RuntimeError("wrong"), True)])
def test_a_client_that_disconnects_while_something_is_sent_is_no_error(caplog, error, is_logged):
    try:
        raise error
    except RuntimeError:
        logging.getLogger("uvicorn.error").exception("in the application")
    assert caplog.messages == ["in the application"] * is_logged


def test_what_a_client_sends_is_one_short_line_without_session_id_in_the_log(caplog):
    line = logged(caplog, STREAMLIT, "no fragment %s", "a\nb\r\x1b[31m\u2028\u202e\ud800é" + "c" * 10**6)
    assert line.startswith("no fragment a\\nb\\r\\x1b[31m\\u2028\\u202e\\ud800éccc")
    assert line.isprintable()
    assert len(line) < 2 * log_filter.LONGEST
    assert logged(caplog, STREAMLIT, "Session with id %s is connected", str(uuid.uuid4())) == "Session with id <id> is connected"


def test_other_logs_are_unchanged(caplog):
    assert logged(caplog, "streamlit_of_others", "two\nlines") == "two\nlines"
    assert logging.makeLogRecord({"msg": "two\nlines"}).getMessage() == "two\nlines"
