"""Predict, then reveal: what the reader draws into the chart before it is there. It only looks: the run never hears of it."""

from typing import Any

from core.training.curves import Point
from core.training.user_prediction import drawn, one_update, room
from pages.app.session.session import Session


def draw(here: Session, begins: bool) -> None:
    """The reader begins to draw, or leaves it."""
    here.drawing = begins


def expect(here: Session, line: list[Any], across: str, serial: int) -> None:
    """This line (none: no line any more). What is no line is not heard, and the one that was there stays."""
    here.drawing = False
    try:
        here.expected = drawn(line, across, _step(here), here.watched.step, serial) if line else None
    except ValueError:
        return


def room_to_draw(here: Session) -> Point | None:
    """How far the chart must reach while the reader draws."""
    return room(here.watched.step, _step(here)) if here.drawing else None


def _step(here: Session) -> Point:
    return one_update(here.settings, here.watched.trainer.updates_per_epoch)
