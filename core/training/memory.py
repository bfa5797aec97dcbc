"""Memory: an estimate for a run before it starts, the memory used by and allowed for this process, and the size of an object."""

import gc
import os
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from core.config.language import gettext as _
from core.config.limits import LIMITS, MEGABYTE
from core.config.settings import Settings
from core.models.fast import FEW
from core.models.params import count
from core.training.held_out import JUDGED_ROWS, MAX_JUDGED_TOKENS
from core.training.optimizers import make_optimizer

LIMIT = LIMITS.run_megabytes * MEGABYTE  # bytes of one run: sessions share a machine, and preparing a larger run would delay all
OBJECTS = 300_000  # bytes of all that is not an array, or an array of judged tokens
BUDGET = 16  # the moments of a run may take this many times the bytes of its parameters,
FLOOR = 8_000_000  # or this many bytes, whichever is more
MOST_MOMENTS = LIMITS.moments  # more stops than 64 are too close to drag to
LARGE = 64 * MEGABYTE  # bytes, estimated: a smaller run is never refused for lack of memory on the server
PAGES = Path("/proc/self/statm")  # of Linux
CONTAINER = Path("/sys/fs/cgroup/memory.max")
USABLE_SHARE = 0.75  # of the memory of the machine or the container, by default
PROGRAM = (type, ModuleType, FunctionType, BuiltinFunctionType, CodeType)  # shared: not counted, nor the objects they refer to


def estimate_bytes(settings: Settings, vocab_size: int) -> int:
    """Bytes of a run, at most, without its text; at most half more than it takes once all its moments are stored."""
    N, T, H, D, V = settings.batch_size, settings.num_steps, settings.hidden_size, settings.embedding_size, vocab_size
    size, itemsize = count(V, H, D), np.dtype(settings.dtype).itemsize
    vectors = sum(array.dtype.kind == "f" for array in make_optimizer(settings.optimizer, 0).state.values())
    state = (1 + vectors) * size + N * H
    moments = min(MOST_MOMENTS * state * itemsize, budget_of_moments(size * itemsize))
    inputs = D + (V if V <= FEW else D or H)  # of a token: its vector, and a one-hot vector or a row sorted by token
    training, judging = N * T * (2 * V + 5 * H + inputs), min(JUDGED_ROWS * T, MAX_JUDGED_TOKENS) * (2 * V + 2 * H)
    return (2 * state + 4 * size + training + judging) * itemsize + 50 * N * T + moments + OBJECTS


def check_memory(settings: Settings, vocab_size: int) -> None:
    """``ValueError`` with the estimate when a run would take more than ``LIMIT`` bytes."""
    estimate = estimate_bytes(settings, vocab_size)
    if estimate > LIMIT:
        raise ValueError(
            _(
                "This run would take about {wanted} MiB of memory; {allowed} MiB are allowed. "
                "Use fewer hidden units, fewer time steps, fewer sequences or a smaller vocabulary.",
                wanted=f"{estimate / 2**20:,.0f}",
                allowed=f"{LIMIT / 2**20:,.0f}",
            )
        )


def budget_of_moments(params_bytes: int) -> int:
    """The bytes that the moments of a run may take."""
    return max(BUDGET * params_bytes, FLOOR)


def used_bytes() -> int:
    """Bytes of memory that this process holds; 0 where the system does not report it."""
    try:
        return int(PAGES.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


@cache
def allowed_bytes() -> int:
    """Bytes that this process may hold."""
    return LIMITS.server_megabytes * MEGABYTE or int(USABLE_SHARE * _machine_bytes())


def is_room() -> bool:
    """Whether there is memory for another session."""
    return used_bytes() < allowed_bytes()


def check_room(estimate: int) -> None:
    """``ValueError`` with the figures if a large run of ``estimate`` bytes would exceed the memory of this process."""
    held, most = used_bytes(), allowed_bytes()
    if estimate > LARGE and held + estimate > most:
        raise ValueError(
            _(
                "This run would take about {wanted} MiB of memory. This server holds {held} MiB for everybody and may hold "
                "{most} MiB. Take a smaller network, or try again later.",
                wanted=f"{estimate / MEGABYTE:,.0f}",
                held=f"{held / MEGABYTE:,.0f}",
                most=f"{most / MEGABYTE:,.0f}",
            )
        )


def _machine_bytes() -> int:
    """Bytes of memory of the machine, or of the container if that has less."""
    there = []
    try:
        there.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
        there.append(int(CONTAINER.read_text()))
    except (OSError, ValueError, AttributeError):  # not available, or "max"
        pass
    return min(there, default=2**63)


def object_bytes(thing: Any, shared: Iterable[Any] = ()) -> int:
    """Bytes of ``thing`` and of all objects it refers to, each counted once; without those that ``shared`` refers to.

    Numbers and strings that Python caches are counted too, so slightly fewer bytes would be freed.
    """
    seen: set[int] = set()
    _bytes_of(shared, seen)
    return _bytes_of([thing], seen)


def _bytes_of(things: Iterable[Any], seen: set[int]) -> int:
    """Bytes of all objects reachable from ``things`` whose id is not in ``seen``; adds their ids to it."""
    held, ahead = 0, list(things)
    while ahead:
        one = _owner(ahead.pop())
        if id(one) in seen or isinstance(one, PROGRAM):
            continue
        seen.add(id(one))
        held += sys.getsizeof(one)
        ahead += gc.get_referents(one)
    return held


def _owner(thing: Any) -> Any:
    """The object that owns the memory of an array view; any other object itself."""
    while isinstance(thing, np.ndarray) and thing.base is not None:
        thing = thing.base
    return thing
