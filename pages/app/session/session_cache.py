"""The cache of a session: results for its text, its current run, and the networks that it has shown.

Results are computed under the compute lock. Beyond ``MOST`` entries, the least recently used are evicted. Keys contain the serial
numbers of runs and moments (``snapshots.serials``), so that the cache holds no reference to a run.
"""

import time
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, TypeVar

from core.config.language import language
from core.text.corpus import source_of
from pages.app.server.compute_lock import with_compute_lock
from pages.app.server.shared_cache import shared
from pages.app.session.corpus_cache import fields_of
from pages.app.session.session import Session

MOST = 64
Result = TypeVar("Result")


class RefreshPolicy(NamedTuple):
    """While the run trains, a result expires after ``factor`` times its computing time, but at least ``least`` seconds."""

    factor: float
    least: float


SPARING = RefreshPolicy(60.0, 0.0)  # slows training by less than 2 %
STEADY = RefreshPolicy(20.0, 3.0)  # for results that show many tokens, which must not flicker either
AT_ONCE = RefreshPolicy(0.0, 0.0)


class CacheEntry(NamedTuple):
    """A result with its key, the version of the run, and its expiry time (in seconds of ``time.monotonic``)."""

    what: Hashable
    progress: Hashable
    expires: float
    result: Any


def cached_for_session(
    session: Session,
    name: Hashable,
    make: Callable[[], Result],
    what: Hashable,
    progress: Hashable = None,
    pace: RefreshPolicy = SPARING,
    when: Callable[[Callable[[], Result]], Result] = with_compute_lock,
) -> Result:
    """The cached result of ``make()`` for ``what`` at this ``progress``; one entry for each ``name``.

    If ``what``, the reader's choice, changes, the result is recomputed at once. If only ``progress`` changes, it is recomputed at
    once or, while the run trains, after the entry has expired. ``when`` may be ``unlocked`` for computations of 1 or 2 ms.
    """
    what = (language(), what)
    entry = session.cache.get(name)
    began = time.monotonic()
    if entry is None or entry.what != what or (entry.progress != progress and not (session.moving and began < entry.expires)):
        result = when(make)
        ended = time.monotonic()
        entry = CacheEntry(what, progress, ended + max(pace.least, pace.factor * (ended - began)), result)
    session.cache[name] = entry
    session.cache.move_to_end(name)
    while len(session.cache) > MOST:
        session.cache.popitem(last=False)
    return entry.result


def cached_for_run(
    session: Session,
    name: str,
    make: Callable[[], Result],
    *what: Hashable,
    pace: RefreshPolicy = SPARING,
    when: Callable[[Callable[[], Result]], Result] = with_compute_lock,
) -> Result:
    """The cached ``make()`` for the current run; while it trains, the result may be as old as ``pace`` allows."""
    return cached_for_session(session, name, make, (session.serial, *what), session.progress, pace, when)


def cached_for_serial(session: Session, name: str, serial: int, make: Callable[[], Result], *what: Hashable) -> Result:
    """The cached ``make()`` for a moment or an earlier run, which never change: one entry for each ``serial``."""
    return cached_for_session(session, (name, serial), make, what)


def cached_for_corpus(session: Session, name: str, make: Callable[[], Result], *what: Hashable) -> Result:
    """``make()`` for this text and ``what`` (plain values), cached for all sessions; a reader's own text only in its session."""
    key = (name, language(), *what, *fields_of(session.settings))
    if source_of(session.settings).from_reader:
        return cached_for_session(session, name, make, (session.monitored.serial, key))
    return _shared(key, make)


@shared(most=24)
def _shared(key: tuple[Any, ...], _make: Callable[[], Any]) -> Any:
    return _make()


def remembered(session: Session, name: Hashable) -> Any:
    """The last result under ``name``, for any key; None if there is no entry."""
    return session.cache[name].result if name in session.cache else None


def forget(session: Session, name: Hashable) -> None:
    """Remove the entry with this name."""
    session.cache.pop(name, None)
