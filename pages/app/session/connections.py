"""A tab is present as long as it is connected: its runs pause when it goes, and go on by themselves when it is back.

What a tab leaves is kept for a while (``pages/app/session/session_store.py``).
"""

import asyncio
import contextlib
from functools import cache
from weakref import WeakSet

import streamlit as st

from core.text.corpus import source_of
from core.training.footprint import held_bytes
from core.training.turns import Turns
from pages.app.server import access_log
from pages.app.session.admission_control import Slot, admission
from pages.app.session.session import Stage
from pages.app.session.session_store import Shelf

CLOSED = "The page was closed."


class Seat(Slot):
    """From where a connected tab looks at its stage. It is gone when the connection is; a tab that is back takes another."""

    def __init__(self) -> None:
        super().__init__()
        self.stage: Stage | None = None
        self._log_entry = access_log.AccessLogEntry()
        self._turns = Turns()  # the script of a tab may still run while the tab goes
        with _seats_lock:
            _seats.add(self)

    def look_at(self, stage: Stage) -> None:
        """Somebody looks at this stage."""
        with self._turns:
            if self.gone or self.stage is stage:
                return
            if not self.stage:
                self._log_entry.connected(stage.settings)
            self.stage = stage
            shelf().take(stage.name)
            stage.unfold()
            for run in stage.runs:
                run.back()

    def find(self, name: str) -> Stage | None:
        """What the tab of this name left, looked at from here; None where it is not kept, or a connected tab looks at it."""
        with self._turns:
            left = None if self.gone else shelf().take(name)
            if left:
                for run in self.stage.runs if self.stage else ():  # of one that was opened meanwhile
                    run.pause()
                self.look_at(left)
            return left

    def leave(self) -> None:
        """The tab was closed or is being loaded again, or its connection was cut."""
        with self._turns:
            self.gone = True
            admission().release_slot(self)
            if self.stage:
                self._log_entry.disconnected(self.stage.settings, self.stage.watched.step)
                pause(self.stage)
                keep(self.stage)


_seats: WeakSet[Seat] = WeakSet()
_seats_lock = Turns()  # iterating over a set while another thread adds to it raises


def pause(stage: Stage) -> None:
    """All of its runs, until somebody looks again."""
    for run in stage.runs:
        run.leave(CLOSED)


def keep(stage: Stage) -> None:
    """Put it on the shelf, without a run that nothing was done with, and see to it that it does not stay there for ever."""
    everybodys = [] if source_of(stage.settings).from_reader else [stage.corpus, stage.baselines, stage.watched.beginning]
    stage.fold()
    shelf().put(stage.name, stage, held_bytes(stage, everybodys))
    with contextlib.suppress(RuntimeError):  # no server, no loop
        asyncio.get_running_loop().call_later(shelf().seconds + 1, shelf().tidy)


def in_use(name: str) -> bool:
    """Whether a tab that is connected has this name."""
    with _seats_lock:
        return any(seat.stage and seat.stage.name == name and not seat.gone for seat in _seats)


def watch_presence(stage: Stage) -> None:
    """This session's tab looks at this stage, now and until its connection is gone."""
    seat().look_at(stage)


def seat() -> Seat:
    """That of this session's tab, which is connected."""
    taken = _seat()
    _ = "stage" in st.session_state  # Streamlit ends the script here where the tab was gone before there was a seat to leave
    return taken


@st.cache_resource(scope="session", on_release=Seat.leave, show_spinner=False)
def _seat() -> Seat:
    return Seat()


@cache
def shelf() -> Shelf[Stage]:
    """What closed tabs have left, in this process."""
    return Shelf(gone=pause)
