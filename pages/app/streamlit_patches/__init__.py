"""Workarounds for bugs of Streamlit that no public API avoids: only this package uses private names of Streamlit.

Each workaround is a function and a row of the table ``PATCHES``. At start-up each row is compared with the installed Streamlit; a
row that does not match is skipped with a warning, as the pages work without it. ``tests/server/test_streamlit_patches.py``
reproduces each bug on Streamlit without the workaround: when a test fails with a newer Streamlit, the row and its function can be
removed.
"""

import inspect
import logging
from collections.abc import Callable
from pkgutil import resolve_name
from typing import Any, NamedTuple

from pages.app.streamlit_patches.back_messages import check_messages
from pages.app.streamlit_patches.disconnected_sessions import expire_on_time
from pages.app.streamlit_patches.script_runs import correct_events, isolate_context, keep_unsent
from pages.app.streamlit_patches.uploaded_files import limit_uploads

LOG = logging.getLogger("rnn_dashboard")


class Patch(NamedTuple):
    """A method of Streamlit that is replaced by a wrapper.

    ``owner``: the module and the name of the class that has the ``method``. ``wrap(method)``: returns the wrapper, which has the
    same parameters. ``issue``: the upstream issue or pull request. ``without``: the symptom that a user sees without the
    workaround. ``attributes``: other attributes of the class or its objects that the wrapper uses.
    """

    owner: str
    method: str
    wrap: Callable[[Callable[..., Any]], Callable[..., Any]]
    issue: str
    without: str
    attributes: tuple[str, ...] = ()


PATCHES = (
    Patch(
        "streamlit.runtime.app_session.AppSession",
        "handle_backmsg",
        check_messages,
        "https://github.com/streamlit/streamlit/pull/3937 (a browser's clear_cache clears the cache of all sessions)",
        "any browser can pause the runs of all others, and write into the state of its own session",
    ),
    Patch(
        "streamlit.runtime.app_session.AppSession",
        "_handle_scriptrunner_event_on_event_loop",
        correct_events,
        "https://github.com/streamlit/streamlit/issues/9921 (events of a finished run are dropped) and "
        "https://github.com/streamlit/streamlit/pull/9617 (a late rerun of a fragment after a page change)",
        "on a busy server a part of a page stays as it was, or a page that was just opened disappears",
        attributes=("_scriptrunner",),
    ),
    Patch(
        "streamlit.runtime.app_session.AppSession",
        "_clear_queue",
        keep_unsent,
        "https://github.com/streamlit/streamlit/pull/9381 (unsent messages of a fragment are dropped as it is rerun) and "
        "https://github.com/streamlit/streamlit/pull/9965 (the end of the page's run is still sent as a success)",
        "on a busy server a part of a page is built anew: a chart loses its zoom, a field its focus",
    ),
    Patch(
        "streamlit.runtime.scriptrunner.script_runner.ScriptRunner",
        "_run_script",
        isolate_context,
        "https://github.com/streamlit/streamlit/pull/8798 (context variables of a fragment in the next run of the same thread)",
        "a page that is opened just as a part of a page has been drawn is drawn in the place of that part",
    ),
    Patch(
        "streamlit.runtime.memory_session_storage.MemorySessionStorage",
        "save",
        expire_on_time,
        "https://github.com/streamlit/streamlit/issues/12506 (memory of sessions that have ended)",
        "the memory of the last class that has left is kept until somebody comes",
        attributes=("_cache",),
    ),
    Patch(
        "streamlit.runtime.memory_uploaded_file_manager.MemoryUploadedFileManager",
        "add_file",
        limit_uploads,
        "https://github.com/streamlit/streamlit/issues/3553 (files are kept until the session ends)",
        "one browser can fill the server's memory with uploads",
        attributes=("file_storage", "remove_file"),
    ),
)


def apply_patches() -> None:
    """Wrap every method of the table that matches its row. Call this once per process, before the first session."""
    for patch in PATCHES:
        if problem := mismatch(patch):
            LOG.warning("Left out a workaround for Streamlit: %s. Without it %s.", problem, patch.without)
        else:
            owner = resolve_name(patch.owner)
            setattr(owner, patch.method, patch.wrap(getattr(owner, patch.method)))


def mismatch(patch: Patch) -> str:
    """How the installed Streamlit differs from the row, in words; empty if it does not differ."""
    name = f"{patch.owner}.{patch.method}"
    try:
        owner = resolve_name(patch.owner)
        method = getattr(owner, patch.method)
    except (ImportError, AttributeError):
        return f"there is no {name}"
    wrapper = inspect.signature(patch.wrap(method), follow_wrapped=False)
    if list(inspect.signature(method).parameters)[1:] != list(wrapper.parameters)[1:]:  # the first one is the object
        return f"{name} has other parameters"
    missing = [one for one in patch.attributes if not hasattr(owner, one) and one not in owner.__init__.__code__.co_names]
    return f"{patch.owner} has no {missing[0]}" if missing else ""
