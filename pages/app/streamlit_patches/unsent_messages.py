"""Send what a run of the whole page drew, also when a fragment is rerun before that.

As a rerun of a fragment begins, Streamlit drops the unsent messages of this fragment. When a run of the whole page is among
those that are unsent, the browser is told its end without what it drew in the fragment: it removes these elements as stale, and
builds them anew a moment later. A chart loses its zoom, a field its focus.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any


def kept(clear_queue: Callable[..., None]) -> Callable[..., None]:
    """``AppSession._clear_queue``, but for a rerun of fragments no element is dropped, and the new ones replace none of these."""

    @wraps(clear_queue)
    def clear(session: Any, fragment_ids_this_run: list[str] | None = None) -> None:
        clear_queue(session, fragment_ids_this_run and [])  # what belongs to none of these fragments is kept

    return clear
