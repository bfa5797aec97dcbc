"""Records the open page: once as it is, or once for each of some moments of its run."""

from collections.abc import Sequence

import streamlit as st

from core.config.language import gettext as _
from core.figures.parts.numbers import count
from pages.app.server.page_recording import Item, RecordedState
from pages.app.session.session import Session

RECORDER = "page_recorder"  # in st.session_state, while one records
AS_IS = None  # in place of an update: the network that the page shows when the recorder is made


class PageRecorder:
    """Every run of the script records one state; ``states`` has those that were recorded."""

    def __init__(self, updates: Sequence[int | None] = (AS_IS,)) -> None:
        self.states: list[RecordedState] = []
        self._updates = list(updates)
        self._items: list[Item] = []
        self._opened: tuple[int, int] | None = None
        self._past: int | None = None  # the update that was shown before

    def begin(self, session: Session) -> list[Item] | None:
        """Show the next moment. Returns where the page is to be recorded, which is about to be drawn; None to record no more."""
        if self._opened is None:
            self._opened, self._past = opened(session), session.past.moment.update if session.past else None
        if self._opened != opened(session):
            self._cancel(session)
            return None
        _show(session, self._past if self._updates[0] is AS_IS else self._updates[0])
        self._items = []
        return self._items

    def end(self, session: Session) -> None:
        """The page is drawn. The script is run again where another moment is to be recorded."""
        if self._updates and self._opened == opened(session):
            self.states.append(RecordedState(_("update {n}", n=count(session.update)), self._items))
            del self._updates[0]
        if self._updates:
            st.rerun()

    def _cancel(self, session: Session) -> None:
        """Another page, section or run was opened meanwhile. A new run has no moment to return to."""
        if self._opened and self._opened[1] == session.monitored.serial:
            _show(session, self._past)
        self._updates, self.states = [], []


def _show(session: Session, update: int | None) -> None:
    """Show the run as it was after this update; None: as it is."""
    if update is not None:
        session.show_snapshot(update)
    elif session.past:
        session.show_present()
        session.cache.clear()  # results for the moment before would be shown for some seconds while the run trains


def opened(session: Session) -> tuple[int, int]:
    """Another one whenever another page, section or run is open."""
    return session.navigation.visits, session.monitored.serial


def items_to_record(session: Session) -> list[Item] | None:
    """Where this run of the script records what it draws, if it has to."""
    recorder = st.session_state.get(RECORDER)
    return recorder.begin(session) if recorder else None


def film_updates(session: Session) -> list[int | None]:
    """The updates 0, 10, 100, 1000 ... of the run, and the one that is shown; that one alone where there are none before."""
    last = session.run_update
    earlier = [moment.update for moment in session.monitored.history.moments.milestones if moment.update < last]
    return [*earlier, AS_IS]
