"""Every script run has context variables of its own.

A thread of Streamlit's runs scripts one after the other as long as requests are waiting. As the rerun of a fragment ends, the
context variable of the container that is drawn in still has the container around that fragment: a run of a whole page that
follows in the same thread is drawn into that container, which the browser may not have.
"""

from collections.abc import Callable
from contextvars import copy_context
from functools import wraps
from typing import Any


def isolated(run_script: Callable[..., None]) -> Callable[..., None]:
    """``ScriptRunner._run_script`` in a copy of the thread's context: what a run sets there, the next one does not find."""

    @wraps(run_script)
    def run(runner: Any, rerun_data: Any) -> None:
        copy_context().run(run_script, runner, rerun_data)

    return run
