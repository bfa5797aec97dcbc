"""Events of a script run that Streamlit drops, or sends although they harm.

Both faults come from ``AppSession._handle_scriptrunner_event_on_event_loop``, so one wrapper corrects both.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any
from weakref import WeakKeyDictionary

import streamlit as st

ENDS = ("FRAGMENT_STOPPED_WITH_SUCCESS", "SCRIPT_STOPPED_FOR_RERUN")  # of a fragment's rerun


def complete(handle_event: Callable[..., None]) -> Callable[..., None]:
    """The event handler of ``AppSession``, with two corrections.

    1. ``request_rerun`` creates a new ``ScriptRunner`` as soon as the thread of the last one has ended, also when the event loop
       has not handled the last one's events yet. As ``sender`` is then not the session's current runner, they are dropped, and
       what that run drew never reaches the browser. Here they count as the current runner's. Only ``SHUTDOWN`` does not: it
       would make the session forget its new runner. With ``runner.fastReruns`` (which ``.streamlit/config.toml`` turns off) a
       runner is also replaced while it runs, and its events have to be dropped.
    2. A fragment's rerun that was requested just before the page changed names the old page. At its ``new_session`` the browser
       removes the elements of the new page, whichever page that message names: it compares that with the page that it has shown
       last, and a slow browser shows the new one only after it has handled both messages. So beginning and end of such a run are
       not sent; what it draws belongs to the run of the page then. A run that names no page has the one that was drawn last.
    """
    open_pages: WeakKeyDictionary[Any, str | None] = WeakKeyDictionary()
    late_runs: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()  # the run of each session whose beginning was not sent
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
            pass  # Streamlit drops it
        elif event.name == "SCRIPT_STARTED" and fragment_ids_this_run:
            open_page = open_pages.get(session, page_script_hash)
            if page_script_hash != open_page and page_script_hash in (pages or ()):
                late_runs[session] = run_descriptor
                return
            page_script_hash = open_page
        elif event.name == "SCRIPT_STARTED":
            open_pages[session] = page_script_hash  # as requested; st.navigation, below, may find another one
        elif event.name == "ENQUEUE_FORWARD_MSG" and forward_msg.HasField("navigation"):
            open_pages[session] = forward_msg.navigation.page_script_hash
        elif event.name in ENDS and run_descriptor is not None and run_descriptor == late_runs.get(session):
            del late_runs[session]
            return
        given = forward_msg, exception, client_state, page_script_hash, fragment_ids_this_run, pages, run_descriptor
        handle_event(session, sender, event, *given)

    return handle
