"""Waiting for threads and processes: for a state, never for a fixed time. The limit only ends a test that would hang."""

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
    """Wait until the run's thread has ended, and return the run."""
    assert run.join(LIMIT)
    return run
