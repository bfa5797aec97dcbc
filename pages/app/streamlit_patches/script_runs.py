"""The runs of a session's script: their events, their unsent messages and their context variables."""

from collections.abc import Callable
from contextvars import copy_context
from functools import wraps
from typing import Any
from weakref import WeakKeyDictionary

import streamlit as st

ENDS = ("FRAGMENT_STOPPED_WITH_SUCCESS", "SCRIPT_STOPPED_FOR_RERUN")  # events that end the rerun of a fragment


def correct_events(handle_event: Callable[..., None]) -> Callable[..., None]:
    """``AppSession._handle_scriptrunner_event_on_event_loop`` with two corrections: Streamlit drops some events of a run by
    mistake, and sends some that break the page.

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


def keep_unsent(clear_queue: Callable[..., None]) -> Callable[..., None]:
    """``AppSession._clear_queue``, but the rerun of a fragment drops no unsent element, and new deltas replace none of them.

    When the rerun of a fragment starts, Streamlit drops the unsent messages of this fragment. If they are from a full run, the
    browser receives the end of that run without the elements in the fragment. It removes them as stale and creates them again a
    moment later, so a chart loses its zoom and an input its focus.
    """

    @wraps(clear_queue)
    def clear(session: Any, fragment_ids_this_run: list[str] | None = None) -> None:
        clear_queue(session, fragment_ids_this_run and [])  # with an empty list, Streamlit drops no unsent message

    return clear


def isolate_context(run_script: Callable[..., None]) -> Callable[..., None]:
    """``ScriptRunner._run_script`` in a copy of the thread's context, so that context variables do not leak into the next run.

    A thread of Streamlit runs scripts one after the other while requests are waiting. After the rerun of a fragment, Streamlit's
    context variable for the current container still refers to the container around that fragment: a full run that follows in the
    same thread is drawn into that container, which may not exist in the browser.
    """

    @wraps(run_script)
    def run(runner: Any, rerun_data: Any) -> None:
        copy_context().run(run_script, runner, rerun_data)

    return run
