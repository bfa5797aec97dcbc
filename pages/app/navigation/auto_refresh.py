"""What the browser reruns by itself: a fragment that shows a run while it trains, less often the more runs train."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import streamlit as st

from core.training.run.live_run import how_many_train
from pages.app.connection.connections import current_connection
from pages.app.layout.fragment import part
from pages.app.session.session import Session

RERUNS = 15  # per second, at most, of one fragment in each session whose run trains: the rest of the processor trains
MANY = 10  # runs that train, from which on also a fragment that is rerun seldom is rerun less often
JITTER = 0.2  # in a crowd an interval is longer by up to this share, so that sessions that open together do not rerun together


def auto_refresh(
    show: Callable[..., None],
    moves: Callable[[], bool],
    every: float | None,
    session: Session,
    *given: Any,
    at_rest: float | None = None,
) -> None:
    """``show(session, *given)`` on its own (``part``), again every so many seconds (if any) while something in it ``moves``, or
    ``at_rest``.

    Where many runs train these are more seconds (``poll_interval``).

    The whole page is drawn anew when that is no longer as it was, so that the polling stops or begins; when the run began or
    ceased to train, wherever that was asked for; and when the network that is shown is another than it was drawn with and rests,
    so that a single update, a change by hand and a moment of the history are seen everywhere.
    """
    moving, playing, progress = moves(), session.run.playing, session.progress
    interval = jittered(poll_interval(every), every) if moving and every else None

    def agree() -> None:
        if (moves(), session.run.playing) != (moving, playing) or (session.progress != progress and not session.moving):
            st.rerun()
        if interval and is_outdated(interval, every):
            st.rerun()

    @wraps(show)  # Streamlit tells fragments apart by their names
    def draw() -> None:
        current_connection().attach(session)
        agree()
        show(session, *given)
        agree()

    part(draw, every=interval if moving else at_rest)


@contextmanager
def drawn_consistently(session: Session) -> Iterator[None]:
    """Draw the whole page again if a run began or ceased to train meanwhile: what was drawn before that moment shows another
    state than what was drawn after it, and where nothing is polled any more it would stay so.
    """
    before = _training(session)
    yield
    if _training(session) != before:
        st.rerun()


def _training(session: Session) -> list[bool]:
    return [run.playing for run in session.runs]


def poll_interval(usual: float) -> float:
    """Seconds between two reruns: ``usual`` with few runs that train in this process, and more with many."""
    return max(usual, how_many_train() * max(1 / RERUNS, usual / MANY))


def jittered(interval: float, usual: float) -> float:
    """The interval of one fragment of one session; the ``usual`` one as it is."""
    return interval if interval == usual else interval * random.uniform(1, 1 + JITTER)


def is_outdated(interval: float, usual: float) -> bool:
    """Whether a fragment that was drawn with this interval should be drawn with another one, for many more runs train, or fewer.

    Only a new drawing of the page can change ``run_every``, so small differences are left.
    """
    return not interval / 2 <= poll_interval(usual) <= 2 * interval
