"""Results that are shared by all sessions, in Streamlit's cache."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import streamlit as st

from core.training.run.scheduler import compute, scheduler

Item = TypeVar("Item")


def cached_for_all_sessions(
    max_entries: int, call_with: Callable[[Callable[[], Item]], Item] = compute
) -> Callable[[Callable[..., Item]], Callable[..., Item]]:
    """A decorator that caches results of a function for all sessions: the ``max_entries`` last used.

    Parameters whose names begin with _ are not part of the key. ``call_with``: ``compute`` or ``with_setup_lock``. Of concurrent
    calls, one computes the result and the others wait; an exception is raised and not cached.

    The numbers of entries are such that the largest take less than 1 GB. Measured: a text of 8,000,000 tokens 31 MB; a network
    before training, of the largest that a run may be, 53 MB; what is counted in a text of words 4 MB. So 12 texts, 8 networks and
    24 counts take 900 MB.
    """

    def decorate(make: Callable[..., Item]) -> Callable[..., Item]:
        @st.cache_resource(max_entries=max_entries, show_spinner=False)
        @wraps(make)
        def cached(*arguments: Any) -> Item:
            return call_with(lambda: make(*arguments))

        @wraps(make)
        def find(*arguments: Any) -> Item:
            if scheduler.is_this_thread():
                raise RuntimeError("A computation cannot wait for a cached result: find it before, or outside.")
            return cached(*arguments)

        return find

    return decorate
