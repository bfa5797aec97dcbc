"""Workarounds for faults of Streamlit that no public API avoids: the only place where private names of Streamlit are used.

One file a workaround, one table of all. At start each row is compared with the installed Streamlit; a row that does not fit is
left out, with a warning that names it: the pages work without any of them. ``tests/server/test_streamlit_patches.py`` shows
each fault on a Streamlit without the workaround: when that test fails on a newer Streamlit, the row and its file can go.
"""

import inspect
import logging
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from pages.app.streamlit_patches.back_messages import checked
from pages.app.streamlit_patches.script_contexts import isolated
from pages.app.streamlit_patches.script_events import complete
from pages.app.streamlit_patches.unsent_messages import kept
from pages.app.streamlit_patches.uploaded_files import bounded

LOG = logging.getLogger("rnn_dashboard")


class Patch(NamedTuple):
    """One method of Streamlit that is wrapped.

    ``module``, ``owner``, ``method``: where it is. ``parameters``: the names of its parameters, in order. ``wrap(method)``: what
    takes its place. ``attributes``: what the wrapper reads of the owner's objects besides. ``issue``: where upstream speaks of
    it.
    ``without``: what a user sees without the workaround.
    """

    module: str
    owner: str
    method: str
    parameters: tuple[str, ...]
    wrap: Callable[[Callable[..., Any]], Callable[..., Any]]
    attributes: tuple[str, ...]
    issue: str
    without: str


PATCHES = (
    Patch(
        "streamlit.runtime.app_session",
        "AppSession",
        "handle_backmsg",
        ("self", "msg"),
        checked,
        (),
        "https://github.com/streamlit/streamlit/pull/3937 (a browser's clear_cache clears the cache of all sessions)",
        "any browser can pause the runs of all others, and a malformed message breaks its own session until a reload",
    ),
    Patch(
        "streamlit.runtime.app_session",
        "AppSession",
        "_handle_scriptrunner_event_on_event_loop",
        (
            *("self", "sender", "event", "forward_msg", "exception", "client_state"),
            *("page_script_hash", "fragment_ids_this_run", "pages", "run_descriptor"),
        ),
        complete,
        ("_scriptrunner",),
        "https://github.com/streamlit/streamlit/issues/9921 (events of a finished run are dropped) and "
        "https://github.com/streamlit/streamlit/pull/9617 (a late rerun of a fragment after a page change)",
        "on a busy server a part of a page stays as it was, or a page that was just opened disappears",
    ),
    Patch(
        "streamlit.runtime.app_session",
        "AppSession",
        "_clear_queue",
        ("self", "fragment_ids_this_run"),
        kept,
        (),
        "https://github.com/streamlit/streamlit/pull/9381 (unsent messages of a fragment are dropped as it is rerun) and "
        "https://github.com/streamlit/streamlit/pull/9965 (the end of the page's run is still sent as a success)",
        "on a busy server a part of a page is built anew: a chart loses its zoom, a field its focus",
    ),
    Patch(
        "streamlit.runtime.scriptrunner.script_runner",
        "ScriptRunner",
        "_run_script",
        ("self", "rerun_data"),
        isolated,
        (),
        "https://github.com/streamlit/streamlit/pull/8798 (context variables of a fragment in the next run of the same thread)",
        "a page that is opened just as a part of a page has been drawn is drawn in the place of that part",
    ),
    Patch(
        "streamlit.runtime.memory_uploaded_file_manager",
        "MemoryUploadedFileManager",
        "add_file",
        ("self", "session_id", "file"),
        bounded,
        ("file_storage", "remove_file"),
        "https://github.com/streamlit/streamlit/issues/3553 (files are kept until the session ends)",
        "one browser can fill the server's memory with uploads",
    ),
)


def apply_patches() -> None:
    """Wrap every method of the table that is as the table says. Once per process, before the first session."""
    for patch in PATCHES:
        if problem := mismatch(patch):
            LOG.warning("Left out a workaround for Streamlit: %s. Without it %s.", problem, patch.without)
        else:
            owner = getattr(import_module(patch.module), patch.owner)
            setattr(owner, patch.method, patch.wrap(getattr(owner, patch.method)))


def mismatch(patch: Patch) -> str:
    """How the installed Streamlit differs from the row, in words; empty where it does not."""
    name = f"{patch.module}.{patch.owner}.{patch.method}"
    try:
        owner = getattr(import_module(patch.module), patch.owner)
        parameters = tuple(inspect.signature(getattr(owner, patch.method)).parameters)
    except (ImportError, AttributeError):
        return f"there is no {name}"
    if parameters != patch.parameters:
        return f"{name} has other parameters"
    missing = [one for one in patch.attributes if not hasattr(owner, one) and one not in owner.__init__.__code__.co_names]
    return f"{patch.module}.{patch.owner} has no {missing[0]}" if missing else ""
