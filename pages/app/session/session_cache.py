"""The cache of a session: results for its text, its current run, and the networks that it has shown.

Results are computed by the scheduler, in slices where ``make`` returns a generator (``core/training/run/scheduler.py``). No
script waits for one that takes long: it is drawn later, and until then the last one while the run trains. Beyond ``MAX_ENTRIES``,
the least recently used are evicted. Keys contain the serial numbers of runs and moments (``snapshots.serials``), so that the
cache holds no reference to a run.
"""

import time
from collections.abc import Callable, Generator, Hashable
from typing import Any, NamedTuple, TypeVar

from core.config.language import language
from core.text.corpus import source_of
from core.training.run.scheduler import Job, start, steps_of
from pages.app.server.shared_cache import StillComputing, awaited, cached_for_all_sessions
from pages.app.session.corpus_cache import fields_of
from pages.app.session.session import Session

MAX_ENTRIES = 64
Result = TypeVar("Result")


class RefreshPolicy(NamedTuple):
    """While the run trains, a result expires after ``factor`` times its computing time, but at least ``min_seconds``."""

    factor: float
    min_seconds: float


SPARING = RefreshPolicy(60.0, 0.0)  # slows training by less than 2 %
STEADY = RefreshPolicy(20.0, 3.0)  # for results that show many tokens, which must not flicker either
IMMEDIATE = RefreshPolicy(0.0, 0.0)


class CacheEntry(NamedTuple):
    """A result with its key, the version of the run, and its expiry time (in seconds of ``time.monotonic``)."""

    key: Hashable
    progress: Hashable
    expires: float
    result: Any


class Coming(NamedTuple):
    """A result that is being computed, for this key and version of the run."""

    key: Hashable
    progress: Hashable
    job: Job[tuple[Any, float]]


def cached_for_session(
    session: Session,
    name: Hashable,
    make: Callable[[], Result],
    key: Hashable,
    progress: Hashable = None,
    refresh: RefreshPolicy = SPARING,
    *,
    is_quick: bool = False,
) -> Result:
    """The cached result of ``make()`` for ``key`` at this ``progress``; one entry for each ``name``.

    If ``key``, the reader's choice, changes, the result is recomputed at once. If only ``progress`` changes, it is recomputed at
    once or, while the run trains, after the entry has expired. ``is_quick``: the page's script computes it, in 1 or 2 ms.
    """
    key = (language(), key)
    entry, is_live = session.cache.get(name), session.is_live
    of_choice = entry is not None and entry.key == key
    if not of_choice or (entry.progress != progress and not (is_live and time.monotonic() < entry.expires)):
        try:
            if not is_quick:
                progress, (result, seconds) = _computed(session, name, make, key, progress)
            else:
                began, result = time.monotonic(), make()
                seconds = time.monotonic() - began
            expires = time.monotonic() + max(refresh.min_seconds, refresh.factor * seconds)
            entry = CacheEntry(key, progress, expires, result)
        except StillComputing:
            if not (of_choice and is_live):
                raise
    _keep(session, name, entry)
    return entry.result


def _computed(session: Session, name: Hashable, make: Callable[[], Any], key: Hashable, progress: Hashable) -> tuple[Any, Any]:
    """The progress at which the result was begun, which while the run trains is an earlier one if it took long; and the result
    with its computing time. Raises ``StillComputing`` until it is there."""
    place = (Coming, name)
    coming = session.cache.pop(place, None)
    if coming is None or coming.key != key or (coming.progress != progress and not session.is_live):
        coming = Coming(key, progress, start(_timed(make)))
    try:
        return coming.progress, awaited(coming.job)
    except StillComputing:
        _keep(session, place, coming)
        raise


def _timed(make: Callable[[], Result]) -> Generator[Any, None, tuple[Result, float]]:
    """``make()``, and the seconds until it was there."""
    began = time.monotonic()
    result = yield from steps_of(make)
    return result, time.monotonic() - began


def _keep(session: Session, name: Hashable, entry: Any) -> None:
    session.cache[name] = entry
    session.cache.move_to_end(name)
    while len(session.cache) > MAX_ENTRIES:
        session.cache.popitem(last=False)


def abandon(session: Session) -> None:
    """End all computations whose results no page has drawn."""
    for name in [name for name, entry in list(session.cache.items()) if isinstance(entry, Coming)]:
        session.cache.pop(name, None)


def cached_for_run(
    session: Session,
    name: str,
    make: Callable[[], Result],
    *key: Hashable,
    refresh: RefreshPolicy = SPARING,
    is_quick: bool = False,
) -> Result:
    """The cached ``make()`` for the current run; while it trains, the result may be as old as ``refresh`` allows."""
    return cached_for_session(session, name, make, (session.serial, *key), session.progress, refresh, is_quick=is_quick)


def cached_for_serial(session: Session, name: str, serial: int, make: Callable[[], Result], *key: Hashable) -> Result:
    """The cached ``make()`` for a moment or an earlier run, which never change: one entry for each ``serial``."""
    return cached_for_session(session, (name, serial), make, key)


def cached_for_corpus(session: Session, name: str, make: Callable[[], Result], *key: Hashable) -> Result:
    """``make()`` for this text and ``key`` (plain values), cached for all sessions; a reader's own text only in its session."""
    full_key = (name, language(), *key, *fields_of(session.settings))
    if source_of(session.settings).from_reader:
        return cached_for_session(session, name, make, (session.monitored.serial, full_key))
    return _shared(full_key, make)


@cached_for_all_sessions(max_entries=24)
def _shared(key: tuple[Any, ...], _make: Callable[[], Any]) -> Any:
    return _make()


def remembered(session: Session, name: Hashable) -> Any:
    """The last result under ``name``, for any key; None if there is no entry."""
    return session.cache[name].result if name in session.cache else None


def forget(session: Session, name: Hashable) -> None:
    """Remove the entry with this name."""
    session.cache.pop(name, None)
    session.cache.pop((Coming, name), None)
