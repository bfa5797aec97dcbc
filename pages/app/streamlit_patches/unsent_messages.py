"""Keeps the unsent messages of a full run when a fragment is rerun before they are sent.

When the rerun of a fragment starts, Streamlit drops the unsent messages of this fragment. If they are from a full run, the
browser receives the end of that run without the elements in the fragment. It removes them as stale and creates them again a
moment later, so a chart loses its zoom and an input its focus.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any


def keep_unsent(clear_queue: Callable[..., None]) -> Callable[..., None]:
    """``AppSession._clear_queue``, but the rerun of a fragment drops no unsent element, and new deltas replace none of them."""

    @wraps(clear_queue)
    def clear(session: Any, fragment_ids_this_run: list[str] | None = None) -> None:
        clear_queue(session, fragment_ids_this_run and [])  # with an empty list, Streamlit drops no unsent message

    return clear
