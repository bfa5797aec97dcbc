"""A tab is present as long as it is connected: its runs pause when it goes, and go on by themselves when it is back.

What a tab leaves is kept for a while (``pages/ui/kept.py``).
"""

import asyncio
import contextlib
from functools import cache
from typing import NamedTuple
from weakref import WeakSet

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.text.corpus import source_of
from core.training.footprint import held_bytes
from core.training.turns import Turns
from pages.ui import journal
from pages.ui.door import Place, door
from pages.ui.kept import Shelf
from pages.ui.memory import give_back_soon
from pages.ui.stage import Stage

CLOSED = "The page was closed."


class Left(NamedTuple):
    """A stage that nobody looks at, and the session that did."""

    stage: Stage
    session: str


class Seat(Place):
    """From where a connected tab looks at its stage. It is gone when the connection is; a tab that is back takes another."""

    def __init__(self, session: str = "") -> None:
        super().__init__()
        self.stage: Stage | None = None
        self.session = session
        self._visit = journal.Visit()
        self.gone = False
        self._turns = Turns()  # the script of a tab may still run while the tab goes
        _seats.add(self)

    def look_at(self, stage: Stage) -> None:
        """Somebody looks at this stage."""
        with self._turns:
            if self.gone or self.stage is stage:
                return
            if not self.stage:
                self._visit.begun(stage.settings)
            self.stage = stage
            shelf().take(stage.name)
            stage.unfold()
            for run in stage.runs:
                run.back()

    def find(self, name: str) -> Stage | None:
        """What the tab of this name left, looked at from here; None where it is not kept, or a connected tab looks at it."""
        with self._turns:
            left = None if self.gone else shelf().take(name, unless=lambda left: connected(left.session))
            if left:
                for run in self.stage.runs if self.stage else ():  # of one that was opened meanwhile
                    run.pause()
                self.look_at(left.stage)
            return left and left.stage

    def leave(self) -> None:
        """The tab was closed or is being loaded again, or its connection was cut."""
        with self._turns:
            self.gone = True
            door().leave(self)
            if self.stage:
                self._visit.ended(self.stage.settings, self.stage.watched.step)
                pause(Left(self.stage, self.session))
                keep(Left(self.stage, self.session))
        give_back_soon()


_seats: WeakSet[Seat] = WeakSet()


def pause(left: Left) -> None:
    """All of its runs, until somebody looks again."""
    for run in left.stage.runs:
        run.leave(CLOSED)


def keep(left: Left) -> None:
    """Put it on the shelf, without a run that nothing was done with, and see to it that it does not stay there for ever."""
    stage = left.stage
    everybodys = [] if source_of(stage.settings).from_reader else [stage.corpus, stage.baselines, stage.watched.beginning]
    stage.fold()
    shelf().put(stage.name, left, held_bytes(stage, everybodys))
    with contextlib.suppress(RuntimeError):  # no server, no loop
        asyncio.get_running_loop().call_later(shelf().seconds + 1, shelf().tidy)


def in_use(name: str) -> bool:
    """Whether a tab that is connected has this name."""
    return any(seat.stage and seat.stage.name == name and not seat.gone for seat in _seats)


def connected(session: str) -> bool:
    """Whether Streamlit has a browser at this session."""
    return runtime.exists() and runtime.get_instance().is_active_session(session)


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
    return Seat(get_script_run_ctx().session_id)


@cache
def shelf() -> Shelf[Left]:
    """What closed tabs have left, in this process."""
    return Shelf(gone=pause)
