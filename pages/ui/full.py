"""What a visitor sees who comes while the server is full."""

import streamlit as st

from pages.ui import frame
from pages.ui.door import Door, door
from pages.ui.part import part
from pages.ui.presence import seat

EVERY = 4.0  # seconds between two looks whether there is a place
PER_SECOND = 10  # looks of all who wait, at most


def come_in() -> None:
    """Go on with the page if there is a place in this server; otherwise show how things stand, until there is."""
    if door().ask(seat()):
        frame.hide(("sidebar",))
        part(_wait, every=max(EVERY, door().waiting / PER_SECOND))
        st.stop()


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
