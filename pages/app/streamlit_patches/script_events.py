"""Events of a script run that Streamlit drops by mistake, or sends although they break the page.

Both bugs come from ``AppSession._handle_scriptrunner_event_on_event_loop``, so one wrapper corrects both.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any
from weakref import WeakKeyDictionary

import streamlit as st

ENDS = ("FRAGMENT_STOPPED_WITH_SUCCESS", "SCRIPT_STOPPED_FOR_RERUN")  # events that end the rerun of a fragment


def correct_events(handle_event: Callable[..., None]) -> Callable[..., None]:
    """The event handler of ``AppSession``, with two corrections.

    1. ``request_rerun`` creates a new ``ScriptRunner`` as soon as the thread of the previous one has ended, even if events of the
       previous one have not been handled yet. Their ``sender`` is then not the session's current runner, so Streamlit
       drops them, and the elements of that run never reach the browser. Here they are handled as events of the current runner,
       except ``SHUTDOWN``, which would remove the new runner from the session. With ``runner.fastReruns`` (disabled in
       ``.streamlit/config.toml``) a runner is also replaced while it runs, and then its events must be dropped.
    2. A fragment rerun that was requested just before a page change has the hash of the old page. At its ``new_session`` message
       the browser removes the elements of the new page, whichever page the message names: it compares the message with the page
       shown last, and a slow browser shows the new page only after handling both messages. So the beginning and the end of such a
       run are not sent; its elements then belong to the run of the page. A run without a known page gets the page drawn last.
    """
    open_pages: WeakKeyDictionary[Any, str | None] = WeakKeyDictionary()
    late_runs: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()  # the run of each session whose start event was not sent
    ends_first = not st.get_option("runner.fastReruns")

    @wraps(handle_event)
    def handle(
        session: Any, sender: Any, event: Any, forward_msg: Any = None, exception: Any = None, client_state: Any = None,
        page_script_hash: str | None = None, fragment_ids_this_run: list[str] | None = None, pages: Any = None,
        run_descriptor: Any = None,
    ) -> None:  # fmt: skip
        if ends_first and event.name != "SHUTDOWN":
            sender = session._scriptrunner
        if sender is not session._scriptrunner:
            pass  # Streamlit drops the event
        elif event.name == "SCRIPT_STARTED" and fragment_ids_this_run:
            open_page = open_pages.get(session, page_script_hash)
            if page_script_hash != open_page and page_script_hash in (pages or ()):
                late_runs[session] = run_descriptor
                return
            page_script_hash = open_page
        elif event.name == "SCRIPT_STARTED":
            open_pages[session] = page_script_hash  # the requested page; st.navigation may select another page, see below
        elif event.name == "ENQUEUE_FORWARD_MSG" and forward_msg.HasField("navigation"):
            open_pages[session] = forward_msg.navigation.page_script_hash
        elif event.name in ENDS and run_descriptor is not None and run_descriptor == late_runs.get(session):
            del late_runs[session]
            return
        given = forward_msg, exception, client_state, page_script_hash, fragment_ids_this_run, pages, run_descriptor
        handle_event(session, sender, event, *given)

    return handle
