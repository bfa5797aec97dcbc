"""The access log, and the messages that are removed from the logs of libraries."""

import io
import logging
import uuid

import pytest
from starlette.websockets import WebSocketDisconnected

from core.config.settings import DEFAULTS
from pages.app.server import access_log

STREAMLIT = "streamlit.of_a_module.that_is_not_imported_yet"


@pytest.fixture(autouse=True)
def configured(monkeypatch):
    """Configure logging; yield the stream with the process's stderr, and restore the logging settings afterwards."""
    written = io.StringIO()
    monkeypatch.setattr("sys.stderr", written)
    make, log, server = logging.getLogRecordFactory(), access_log.LOG, access_log.SERVER
    before = (log.level, log.propagate, list(server.filters))
    access_log.configure()
    yield written
    logging.setLogRecordFactory(make)
    log.level, log.propagate, server.filters[:] = before
    log.handlers.clear()


def logged(caplog: pytest.LogCaptureFixture, name: str, message: str, *given: object) -> str:
    caplog.clear()
    logging.getLogger(name).warning(message, *given)
    return caplog.messages[0]


def test_a_tab_has_a_line_when_it_connects_and_one_when_it_disconnects(configured):
    log_disconnected = access_log.log_connected(DEFAULTS)
    log_disconnected(DEFAULTS, 17)
    first, second = configured.getvalue().splitlines()
    assert first.endswith(" connected: the defaults")
    assert second.endswith(" disconnected after 0 s at update 17: the defaults")


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
    assert len(line) < 2 * access_log.LONGEST
    assert logged(caplog, STREAMLIT, "Session with id %s is connected", str(uuid.uuid4())) == "Session with id <id> is connected"


def test_other_logs_are_unchanged(caplog):
    assert logged(caplog, "streamlit_of_others", "two\nlines") == "two\nlines"
    assert logging.makeLogRecord({"msg": "two\nlines"}).getMessage() == "two\nlines"
