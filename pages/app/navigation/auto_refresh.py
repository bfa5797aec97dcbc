"""Fragments that are rerun periodically while a run trains, less often the more runs train."""

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
from pages.app.widgets.rerun import rerun_page

RERUNS = 15  # per second at most, of one fragment of all sessions whose run trains: the other processor time is for training
MANY = 10  # runs that train: with more, fragments with a long interval are rerun less often, too
JITTER = 0.2  # with many runs an interval is longer by up to this share, so that sessions do not rerun in phase


def auto_refresh(
    show: Callable[..., None],
    moves: Callable[[], bool],
    every: float | None,
    session: Session,
    *args: Any,
    idle: float | None = None,
) -> None:
    """``show(session, *args)`` as a fragment, rerun ``every`` so many seconds (if any) while it ``moves()``, else ``idle``.

    With many runs that train the interval is longer (``poll_interval``).

    The whole page is rerun when the value of ``moves()`` changes, so that the polling starts or stops; when the run starts or
    stops training; and when another network is shown that does not train: after a single update, a change by hand or a step
    in the history.
    """
    moving, playing, progress = moves(), session.run.playing, session.progress
    interval = jittered(poll_interval(every), every) if moving and every else None

    def rerun_if_stale() -> None:
        if (moves(), session.run.playing) != (moving, playing) or (session.progress != progress and not session.moving):
            rerun_page()
        if interval and is_outdated(interval, every):
            rerun_page()

    @wraps(show)  # Streamlit identifies fragments by their names
    def draw() -> None:
        current_connection().attach(session)
        rerun_if_stale()
        show(session, *args)
        rerun_if_stale()

    part(draw, every=interval if moving else idle)


@contextmanager
def drawn_consistently(session: Session) -> Iterator[None]:
    """Rerun the page if a run has started or stopped training while it was drawn: its parts would show different states, and
    stay so where no fragment is rerun periodically.
    """
    before = _training(session)
    yield
    if _training(session) != before:
        st.rerun()


def _training(session: Session) -> list[bool]:
    return [run.playing for run in session.runs]


def poll_interval(usual: float) -> float:
    """Seconds between two reruns: ``usual`` with few runs that train in this process, more with many."""
    return max(usual, how_many_train() * max(1 / RERUNS, usual / MANY))


def jittered(interval: float, usual: float) -> float:
    """The interval with jitter; the ``usual`` one has none."""
    return interval if interval == usual else interval * random.uniform(1, 1 + JITTER)


def is_outdated(interval: float, usual: float) -> bool:
    """Whether the interval of a fragment differs much from ``poll_interval`` now. Only a rerun of the page can change it."""
    return not interval / 2 <= poll_interval(usual) <= 2 * interval
