"""Waiting for threads and processes: for a state, never for a time. The limit only ends a test that would wait for ever."""

import time
from collections.abc import Callable

from core.training.run.live_run import LiveRun

LIMIT = 60.0  # seconds


def until(condition: Callable[[], bool]) -> None:
    give_up = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < give_up
        time.sleep(0.01)


def rested(run: LiveRun) -> LiveRun:
    """The run, once its thread has ended."""
    assert run.join(LIMIT)
    return run
