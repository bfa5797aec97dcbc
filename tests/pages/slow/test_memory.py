"""Nothing of a session stays in memory once it is closed and no longer stored."""

import gc
import weakref

from streamlit.runtime.caching.cache_resource_api import clear_session_cache
from streamlit.util import calc_hash

from core.config.link import PAGES
from pages.app.connection.connections import detached_sessions
from tests.pages.app_session import SMALL, START, AppSession, one_server


def references(page: str) -> list[weakref.ref]:
    """References to what a session had that opened a page, trained and was closed."""
    session = AppSession(calc_hash(page), SMALL)
    stage = session.stage
    session.train(30)
    clear_session_cache("test session id")
    return [weakref.ref(one) for one in (stage, stage.monitored, stage.run, stage.monitored.trainer)]


def test_closed_sessions_are_released():
    with one_server():
        found = [reference for page in (START, *PAGES) for reference in references(page)]
    assert any(reference() for reference in found)  # stored for whoever comes back
    detached_sessions().clear()
    gc.collect()
    assert [reference() for reference in found if reference()] == []
