"""Fragments that are rerun periodically while a run trains, less often the more runs train."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import streamlit as st

from core.config.language import gettext as _, lazy_gettext
from core.training.run.live_run import how_many_train
from core.training.run.scheduler import Job
from pages.app.connection.connections import current_connection
from pages.app.layout import elements
from pages.app.layout.fragment import draw_fragment
from pages.app.server.shared_cache import StillComputing, drawn_later
from pages.app.session.session import Session
from pages.app.widgets.rerun import rerun_page

WAITING = 0.3  # seconds between two looks at a computation beside the script
RERUNS = 15  # maximum reruns per second of one fragment in all training sessions together: the other CPU time is for training
MANY = 10  # training runs: if there are more, fragments with a long interval are rerun less often, too
COMPUTING = lazy_gettext("Computing, this once: the rest of the page comes as soon as it is done.")
LOADING = lazy_gettext("The new run is being made: it is shown as soon as it is there.")
JITTER = 0.2  # with many runs an interval is up to this fraction longer, so that sessions do not rerun in phase


def auto_refresh(
    show: Callable[..., None],
    needs_refresh: Callable[[], bool],
    interval: float | None,
    session: Session,
    *args: Any,
    idle: float | None = None,
    says: str = COMPUTING,
) -> None:
    """Draw ``show(session, *args)`` as a fragment, rerun every ``interval`` seconds while ``needs_refresh()``, else every
    ``idle`` seconds. None means no periodic rerun. While many runs train, the interval is longer (``poll_interval``).

    ``says``: what is said at its place while it waits for a result, if anything.

    The whole page is rerun when the value of ``needs_refresh()`` changes, so that periodic reruns start or stop; when the run
    starts or stops training; and when the shown network changes without training: after a single update, a manual change or a
    step in the history.
    """
    live, playing, progress = needs_refresh(), session.run.playing, session.progress
    rerun_interval = poll_interval(interval) if live and interval else None

    def rerun_if_stale() -> None:
        if (needs_refresh(), session.run.playing) != (live, playing) or (session.progress != progress and not session.is_live):
            rerun_page()
        if rerun_interval and is_outdated(rerun_interval, interval):
            rerun_page()

    @wraps(show)  # Streamlit identifies fragments by their names
    def draw() -> None:
        current_connection().attach(session)
        rerun_if_stale()
        try:
            with drawn_later():
                show(session, *args)
        except StillComputing as still:
            if jobs is None:  # only a run of the whole page adds the fragment that waits
                rerun_page()
            jobs.append(still.job)
            return
        rerun_if_stale()

    jobs: list[Job] | None = []  # that the first drawing waits for
    with st.container():  # of its own, so that what comes after it is not remounted when the progress is there or gone
        draw_fragment(draw, interval=rerun_interval if live else idle)
        waits_for, jobs = jobs, None
        for job in waits_for:
            show_progress(job, says)


def show_progress(job: Job, sentence: str = COMPUTING) -> None:
    """Say that a computation is done and how far it is, unless the sentence is empty; the page is rerun once it has ended."""
    draw_fragment(_progress, job, sentence, interval=WAITING)


def _progress(job: Job, sentence: str) -> None:
    if job.done:
        rerun_page()
    if sentence:
        elements.progress(_(sentence) + ("" if job.progress is None else f" {job.progress:.0%}"))


def show_loading(session: Session) -> None:
    """Say that a run is being made, while it is; then show it."""
    loading = session.loading  # another script may end it meanwhile
    if loading and loading.job.done:
        session.finish_loading()
        rerun_page()
    with st.container(key="loading"):  # over the page, which stays as it is
        if loading:
            show_progress(loading.job, LOADING)


@contextmanager
def drawn_consistently(session: Session) -> Iterator[None]:
    """Rerun the page if a run has started or stopped training while the page was drawn: otherwise its parts would show different
    states until the next rerun.
    """
    before = [run.playing for run in session.runs]
    yield
    if [run.playing for run in session.runs] != before:
        st.rerun()


def poll_interval(usual: float) -> float:
    """Seconds between two reruns: ``usual`` if few runs train in this process; longer, and not in phase, if many do."""
    longer = how_many_train() * max(1 / RERUNS, usual / MANY)
    return usual if longer <= usual else longer * random.uniform(1, 1 + JITTER)


def is_outdated(interval: float, usual: float) -> bool:
    """Whether the interval differs from ``poll_interval`` now by more than a factor of 2: only a page rerun can update it."""
    return not interval / 2 <= poll_interval(usual) <= 2 * interval
