"""Disconnected sessions are dropped when their time is over."""

import asyncio
from collections.abc import Callable
from functools import wraps
from typing import Any

from pages.app.server.free_memory import free_memory

LATER = 1.0  # seconds


def expire_on_time(save: Callable[..., None]) -> Callable[..., None]:
    """``MemorySessionStorage.save``, but a session is removed after ``server.disconnectedSessionTTL``, not only when the next tab
    comes or goes: until then it holds its script's state, its fragments and so its runs."""

    @wraps(save)
    def saved(storage: Any, session_info: Any) -> None:
        save(storage, session_info)
        asyncio.get_running_loop().call_later(storage._cache.ttl + LATER, expire, storage)

    return saved


def expire(storage: Any) -> None:
    """Remove the sessions whose time is over, and free their memory."""
    storage._cache.expire()
    free_memory()
