"""The server's log: what does not belong in it."""

import logging

import pytest
from starlette.websockets import WebSocketDisconnected

from pages.ui import journal


@pytest.fixture
def said(caplog):
    """The messages that the web server's own log takes."""
    journal.leave_out_who_is_gone()
    yield lambda: [record.message for record in caplog.records]
    for kept_out in list(journal.SERVERS.filters):
        journal.SERVERS.removeFilter(kept_out)


@pytest.mark.parametrize(("error", "told"), [(WebSocketDisconnected("gone"), False), (RuntimeError("wrong"), True)])
def test_who_left_while_something_was_sent_is_no_error(said, error, told):
    try:
        raise error
    except RuntimeError:
        logging.getLogger("uvicorn.error").exception("in the application")
    assert said() == ["in the application"] * told
