"""Events of a script run that Streamlit drops or sends with the wrong page.

Both faults come from ``AppSession._handle_scriptrunner_event_on_event_loop``, so one wrapper corrects both.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any
from weakref import WeakKeyDictionary

import streamlit as st


def complete(handle_event: Callable[..., None]) -> Callable[..., None]:
    """The event handler of ``AppSession``, with two corrections.

    1. ``request_rerun`` creates a new ``ScriptRunner`` as soon as the thread of the last one has ended, also when the event loop
       has not handled the last one's events yet. As ``sender`` is then not the session's current runner, they are dropped, and
       what that run drew never reaches the browser. Here they count as the current runner's. Only ``SHUTDOWN`` does not: it
       would make the session forget its new runner. With ``runner.fastReruns`` (which ``.streamlit/config.toml`` turns off) a
       runner is also replaced while it runs, and its events have to be dropped.
    2. A fragment's rerun that was requested just before the page changed starts with the hash of the old page. ``new_session``
       would tell the browser that the old page is open, and it would remove the elements of the new one. Here such a run has the
       hash of the page that was drawn last.
    """
    open_pages: WeakKeyDictionary[Any, str | None] = WeakKeyDictionary()
    ends_first = not st.get_option("runner.fastReruns")

    @wraps(handle_event)
    def handle(
        session: Any, sender: Any, event: Any, forward_msg: Any = None, exception: Any = None, client_state: Any = None,
        page_script_hash: str | None = None, fragment_ids_this_run: list[str] | None = None, *more: Any,
    ) -> None:  # fmt: skip
        if ends_first and event.name != "SHUTDOWN":
            sender = session._scriptrunner
        if sender is not session._scriptrunner:
            pass  # Streamlit drops it
        elif event.name == "SCRIPT_STARTED" and fragment_ids_this_run:
            page_script_hash = open_pages.get(session, page_script_hash)
        elif event.name == "SCRIPT_STARTED":
            open_pages[session] = page_script_hash  # as requested; st.navigation, below, may find another one
        elif event.name == "ENQUEUE_FORWARD_MSG" and forward_msg.HasField("navigation"):
            open_pages[session] = forward_msg.navigation.page_script_hash
        handle_event(session, sender, event, forward_msg, exception, client_state, page_script_hash, fragment_ids_this_run, *more)

    return handle
