"""Memory of what was dropped goes back to the system: Python frees cycles of objects only while others are allocated, and glibc
keeps what is freed between two blocks in use."""

import ctypes
import gc
import time
from collections.abc import Generator
from contextlib import suppress

from core.training.run.scheduler import WAIT, Job, Wait, start

AFTER = 2.0  # seconds: a class that leaves is freed at once
_job: Job[None] | None = None


def free_memory() -> None:
    """Let the scheduler free, in a moment, what was dropped. Never waits."""
    global _job
    if _job is None or _job.done:
        _job = start(_free(time.monotonic() + AFTER))


def _free(due: float) -> Generator[Wait, None, None]:
    while time.monotonic() < due:
        yield WAIT
    gc.collect()
    with suppress(OSError, AttributeError):  # no glibc
        ctypes.CDLL(None).malloc_trim(0)
