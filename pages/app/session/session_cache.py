"""The cache of a session: what was computed of its text, of its run as it is now, and of the networks that it showed.

Each result is computed under the compute lock. A session stores the ``MOST`` that were used last. Keys hold the numbers of runs
and moments (``history.serials``), so that no run is referred to.
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


class Pace(NamedTuple):
    """While the run trains, a result is renewed after ``rest`` times what finding it took and ``least`` seconds, not earlier."""

    rest: float
    least: float


SPARING = Pace(60.0, 0.0)  # so looking slows training by little
STEADY = Pace(20.0, 3.0)  # the same for what many tokens are read for: it should not flicker either
AT_ONCE = Pace(0.0, 0.0)


class Found(NamedTuple):
    """A result, for what it is, how far the run was, and when it may be renewed (in seconds of ``time.monotonic``)."""

    what: Hashable
    progress: Hashable
    due: float
    result: Any


def cached_for_session(
    session: Session,
    name: Hashable,
    make: Callable[[], Result],
    what: Hashable,
    progress: Hashable = None,
    pace: Pace = SPARING,
    when: Callable[[Callable[[], Result]], Result] = with_compute_lock,
) -> Result:
    """What ``make`` returned last under ``name``; anew if that was for something else than ``what``, or at another ``progress``.

    ``what`` is the reader's choice: another one is answered at once. Another ``progress`` may wait while the run trains.
    ``when`` may be ``unlocked``, for what takes a millisecond or two.
    """
    what = (language(), what)
    found = session.found.get(name)
    if found is None or found.what != what or (found.progress != progress and not _may_wait(session, found)):
        began = time.monotonic()
        result = when(make)
        ended = time.monotonic()
        found = Found(what, progress, ended + max(pace.least, pace.rest * (ended - began)), result)
    session.found[name] = found
    session.found.move_to_end(name)
    while len(session.found) > MOST:
        session.found.popitem(last=False)
    return found.result


def _may_wait(session: Session, found: Found) -> bool:
    return session.moving and time.monotonic() < found.due


def cached_for_run(
    session: Session,
    name: str,
    make: Callable[[], Result],
    *what: Hashable,
    pace: Pace = SPARING,
    when: Callable[[Callable[[], Result]], Result] = with_compute_lock,
) -> Result:
    """``make()`` for the run as it is now; while it trains the result may be as old as its ``pace`` says."""
    return cached_for_session(session, name, make, (session.serial, *what), session.progress, pace, when)


def cached_for_serial(session: Session, name: str, serial: int, make: Callable[[], Result], *what: Hashable) -> Result:
    """``make()`` for a moment or an earlier run, which stay as they are: several of one ``name`` are remembered."""
    return cached_for_session(session, (name, serial), make, what)


def cached_for_corpus(session: Session, name: str, make: Callable[[], Result], *what: Hashable) -> Result:
    """``make()`` for this text and ``what`` (whatever else it depends on; plain values), once for all readers of this text.

    A reader's own text is remembered by the reader's session alone.
    """
    key = (name, language(), *what, *fields_of(session.settings))
    if source_of(session.settings).from_reader:
        return cached_for_session(session, name, make, (session.watched.serial, key))
    return _shared(key, make)


@shared(most=24)
def _shared(key: tuple[Any, ...], _make: Callable[[], Any]) -> Any:
    return _make()


def remembered(session: Session, name: Hashable) -> Any:
    """What was found under ``name``, whatever it was for; None where there is nothing."""
    return session.found[name].result if name in session.found else None


def forget(session: Session, name: Hashable) -> None:
    """Compute it anew when it is needed next."""
    session.found.pop(name, None)
