"""Gives every script run its own context variables.

A thread of Streamlit runs scripts one after the other while requests are waiting. After the rerun of a fragment, Streamlit's
context variable for the current container still refers to the container around that fragment: a full run that follows in the
same thread is drawn into that container, which may not exist in the browser.
"""

from collections.abc import Callable
from contextvars import copy_context
from functools import wraps
from typing import Any


def isolate_context(run_script: Callable[..., None]) -> Callable[..., None]:
    """``ScriptRunner._run_script`` in a copy of the thread's context, so that context variables do not leak into the next run."""

    @wraps(run_script)
    def run(runner: Any, rerun_data: Any) -> None:
        copy_context().run(run_script, runner, rerun_data)

    return run
