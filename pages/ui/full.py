"""What a visitor sees who comes while the server is full, or was set up wrong."""

from collections.abc import Callable

import streamlit as st

from core.limits import WRONG
from pages.ui import frame
from pages.ui.door import Door, door
from pages.ui.journal import LOG
from pages.ui.part import part
from pages.ui.presence import seat

EVERY = 4.0  # seconds between two looks whether there is a place
PER_SECOND = 10  # looks of all who wait, at most
SET_UP_WRONG = "One of its settings cannot be read. Whoever runs this server finds which one in its log."


def come_in() -> None:
    """Go on with the page if there is a place in this server; otherwise show how things stand, until there is."""
    if WRONG:
        _only(_refuse)
    elif door().ask(seat()):
        _only(lambda: part(_wait, every=max(EVERY, door().waiting / PER_SECOND)))


def _only(show: Callable[[], None]) -> None:
    frame.hide(("sidebar",))
    show()
    st.stop()


def _refuse() -> None:
    for sentence in WRONG:
        LOG.error("%s", sentence)
    frame.alone("This server is not ready", SET_UP_WRONG)


def _wait() -> None:
    place = door().ask(seat())
    if not place:
        st.rerun()
    frame.alone("This server is full", *words(door(), place))


def words(door: Door, place: int) -> tuple[str, str]:
    """How things stand for who waits at this ``place``."""
    taken = f"All {door.most:,} places are taken." if door.most > 1 else "Its one place is taken."
    why = taken if door.inside >= door.most else "Its memory is used up."
    before = "You are next" if place == 1 else f"You are number {place:,} in the line"
    return f"{why} The page opens by itself as soon as somebody leaves.", f"{before}. You need not reload."
