"""Whether there is room in this process for another run: what it holds now, as the system counts it, and what it may hold."""

import os
from functools import cache
from pathlib import Path

from core.config.limits import LIMITS, MEGABYTE

LARGE = 64 * MEGABYTE  # estimated: what is smaller always finds room, once its reader was let in
PAGES = Path("/proc/self/statm")  # of Linux
CONTAINER = Path("/sys/fs/cgroup/memory.max")
SHARE = 0.75  # of the machine's memory or the container's, where nobody has said how much


def held() -> int:
    """Bytes of memory that this process holds; 0 where the system does not tell."""
    try:
        return int(PAGES.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


@cache
def most() -> int:
    """Bytes that this process may hold."""
    return LIMITS.server_megabytes * MEGABYTE or int(SHARE * _machine())


def is_room() -> bool:
    """Whether another visitor finds room."""
    return held() < most()


def check_room(estimate: int) -> None:
    """``ValueError`` with the figures where a large run of so many bytes has no room beside all that is here."""
    if estimate > LARGE and held() + estimate > most():
        raise ValueError(
            f"This run would take about {estimate / MEGABYTE:,.0f} MiB of memory. This server holds {held() / MEGABYTE:,.0f} MiB "
            f"for everybody and may hold {most() / MEGABYTE:,.0f} MiB. Take a smaller network, or try again later."
        )


def _machine() -> int:
    """Bytes of memory there are, for the container where this runs in one."""
    there = []
    try:
        there.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
        there.append(int(CONTAINER.read_text()))
    except (OSError, ValueError, AttributeError):  # not told, or "max"
        pass
    return min(there, default=2**63)
