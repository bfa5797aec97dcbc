"""Records the open page: once as it is shown, or once for each of several moments of its run."""

from collections.abc import Sequence

import streamlit as st

from core.config.language import gettext as _
from pages.app.server.page_recording import Item, RecordedState
from pages.app.session.session import Session
from pages.figures.parts.numbers import count

RECORDER = "page_recorder"  # key in st.session_state while a page is being recorded
AS_IS = None  # instead of an update: the network that is shown when recording begins


class PageRecorder:
    """Records one state of the page in each script run; ``states`` are the states recorded so far."""

    def __init__(self, updates: Sequence[int | None] = (AS_IS,)) -> None:
        self.states: list[RecordedState] = []
        self._updates = list(updates)
        self._items: list[Item] = []
        self._open_state_id: tuple[int, int] | None = None
        self._past: int | None = None  # the update shown before recording; None: the present run

    def begin(self, session: Session) -> list[Item] | None:
        """Show the next moment and return the list into which the page must be recorded; None if recording is cancelled."""
        if self._open_state_id is None:
            self._open_state_id, self._past = open_state_id(session), session.past.moment.update if session.past else None
        if self._open_state_id != open_state_id(session):  # another page, section or run was opened: cancel
            if self._open_state_id[1] == session.monitored.serial:  # the run is the same: show the moment before recording again
                _show(session, self._past)
            self._updates, self.states = [], []
            return None
        _show(session, self._past if self._updates[0] is AS_IS else self._updates[0])
        self._items = []
        return self._items

    def end(self, session: Session) -> None:
        """Store the recorded state after the page was drawn, and rerun the script if another moment must be recorded."""
        if self._updates and self._open_state_id == open_state_id(session):
            self.states.append(RecordedState(_("update {n}", n=count(session.update)), self._items))
            del self._updates[0]
        if self._updates:
            st.rerun()


def _show(session: Session, update: int | None) -> None:
    """Show the run as it was after this update; None: as it is now."""
    if update is not None:
        session.show_snapshot(update)
    elif session.past:
        session.show_present()
        session.cache.clear()  # cached results of the past moment would be shown for some seconds while the run trains


def open_state_id(session: Session) -> tuple[int, int]:
    """A value that changes whenever another page, section or run is opened."""
    return session.navigation.visits, session.monitored.serial


def items_to_record(session: Session) -> list[Item] | None:
    """The list into which this script run must record its items; None if it does not record."""
    recorder = st.session_state.get(RECORDER)
    return recorder.begin(session) if recorder else None


def film_updates(session: Session) -> list[int | None]:
    """The updates 0, 10, 100, 1000 ... of the run before the moment shown, and ``AS_IS`` for that moment."""
    last = session.run_update
    earlier = [moment.update for moment in session.monitored.history.moments.milestones if moment.update < last]
    return [*earlier, AS_IS]
