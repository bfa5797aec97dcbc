"""A tab is present as long as it is connected: its runs pause when it goes, and go on by themselves when it is back.

And then, and only now and then, garbage is collected.
"""

import gc
import time

import streamlit as st

from core.training.live_run import LiveRun
from core.training.turns import Turns
from pages.ui.state import Stage

CLOSED = "The page was closed."
COLLECT_EVERY = 30.0  # seconds; collecting garbage stops every session for a moment


class Seat:
    """From where a connected tab looks at its stage. It is gone when the connection is; a tab that is back takes another."""

    def __init__(self) -> None:
        self.stage: Stage | None = None
        self._gone = False
        self._turns = Turns()  # the script of a tab may still run while the tab goes

    def look_at(self, stage: Stage) -> None:
        """Somebody looks at this stage."""
        with self._turns:
            if self._gone or self.stage is stage:
                return
            self.stage = stage
            for run in runs_of(stage):
                run.back()

    def leave(self) -> None:
        """The tab was closed or is being loaded again, or its connection was cut."""
        with self._turns:
            self._gone = True
            if self.stage:
                for run in runs_of(self.stage):
                    run.leave(CLOSED)
        collect_garbage()


def runs_of(stage: Stage) -> tuple[LiveRun, ...]:
    """All that a stage trains."""
    return stage.run, *stage.beside.values()


def watch_presence(stage: Stage) -> None:
    """This session's tab looks at this stage, now and until its connection is gone."""
    seat = _seat()
    if "stage" in st.session_state:  # Streamlit ends the script here where the tab was gone before there was a seat to leave
        seat.look_at(stage)


@st.cache_resource(scope="session", on_release=Seat.leave, show_spinner=False)
def _seat() -> Seat:
    return Seat()


@st.cache_resource(show_spinner=False)
def settle_process() -> dict[str, float]:
    """Once per process, after the imports: everything loaded so far never needs to be looked through for garbage again."""
    gc.collect()
    gc.freeze()
    return {"collected": time.monotonic()}


def collect_garbage() -> None:
    """Streamlit's own collection after every script run is switched off (it costs 60–90 ms); this is ours."""
    settled = settle_process()
    if time.monotonic() - settled["collected"] > COLLECT_EVERY:
        settled["collected"] = time.monotonic()
        gc.collect()
