"""Predict, then reveal: what the reader draws into the chart before it is there. It only looks: the run never hears of it."""

from typing import Any

from core.training.curves import Point
from core.training.user_prediction import drawn, one_update, room
from pages.app.session.session import Session


def draw(session: Session, begins: bool) -> None:
    """The reader begins to draw, or leaves it."""
    session.drawing = begins


def expect(session: Session, line: list[Any], across: str, serial: int) -> None:
    """This line (none: no line any more). What is no line is not heard, and the one that was there stays."""
    session.drawing = False
    try:
        session.expected = drawn(line, across, _step(session), session.watched.step, serial) if line else None
    except ValueError:
        return


def room_to_draw(session: Session) -> Point | None:
    """How far the chart must reach while the reader draws."""
    return room(session.watched.step, _step(session)) if session.drawing else None


def _step(session: Session) -> Point:
    return one_update(session.settings, session.watched.trainer.updates_per_epoch)
