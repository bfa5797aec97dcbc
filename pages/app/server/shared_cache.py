"""What takes long is computed beside the page's script (``awaited``); results that all sessions share, in Streamlit's cache."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, TypeVar

import streamlit as st

from core.training.run.scheduler import Job, scheduler, start, steps_of
from pages.app.server.page_recording import is_recording

Item = TypeVar("Item")
PATIENCE = 0.2  # seconds for which the script of a page waits for a result on a server
OPENING = 5  # times as long for a visitor's first page: when many come at once, each is drawn once
serving = False  # without a server, in exports and tests, a script waits as long as it takes
_can_wait: ContextVar[bool] = ContextVar("can_wait", default=False)  # whether what is drawn can come later


class StillComputing(Exception):
    """A result is not there yet; ``job`` computes it."""

    def __init__(self, job: Job[Any]) -> None:
        super().__init__()
        self.job = job


@contextmanager
def drawn_later() -> Iterator[None]:
    """Within, a result that takes long raises ``StillComputing``: who draws can draw again once it is there."""
    token = _can_wait.set(True)
    try:
        yield
    finally:
        _can_wait.reset(token)


def awaited(job: Job[Item]) -> Item:
    """The result of a job. On a server it raises ``StillComputing`` if that takes long and what is drawn can come later."""
    settled(job)
    return job.result()


def settled(job: Job[Any], times: int = 1) -> None:
    """Wait until a job has ended, ``times`` as long as usual, or raise ``StillComputing`` as ``awaited`` does."""
    if serving and _can_wait.get() and not is_recording() and not job.wait(times * PATIENCE):
        raise StillComputing(job)
    job.wait()


def cached_for_all_sessions(
    max_entries: int, set_up: Callable[[Callable[[], Item]], Item] | None = None
) -> Callable[[Callable[..., Item]], Callable[..., Item]]:
    """A decorator that caches results of a function for all sessions: the ``max_entries`` last used.

    Parameters whose names begin with _ are not part of the key. The scheduler computes the result, or ``set_up`` does, which is
    ``with_setup_lock``. Of concurrent calls, one computes it and the others wait; an exception is raised in all, and not cached.

    The numbers of entries are such that the largest take less than 1 GB. Measured: a text of 8,000,000 tokens 31 MB; a network
    before training, of the largest that a run may be, 53 MB; what is counted in a text of words 4 MB. So 12 texts, 8 networks and
    24 counts take 900 MB.
    """

    def decorate(make: Callable[..., Item]) -> Callable[..., Item]:
        @st.cache_resource(max_entries=max_entries, show_spinner=False, validate=lambda made: not getattr(made, "failed", False))
        @wraps(make)
        def cached(*arguments: Any) -> Any:
            return set_up(lambda: make(*arguments)) if set_up else start(steps_of(lambda: make(*arguments)))

        @wraps(make)
        def find(*arguments: Any) -> Item:
            if scheduler.is_this_thread():
                raise RuntimeError("A computation cannot wait for a cached result: find it before, or outside.")
            made = cached(*arguments)
            return made if set_up else awaited(made)

        return find

    return decorate
