"""Admission control: a session that starts while the server is full waits in a FIFO queue until another session ends."""

import threading
from collections.abc import Callable

import streamlit as st

from core.config.language import gettext as _, sentences as joined
from core.config.limits import LIMITS
from core.training.memory import is_room
from pages.app.layout import elements
from pages.app.layout.fragment import draw_fragment

EVERY = 4.0  # seconds between two requests of a waiting session
PER_SECOND = 10  # maximum number of such requests of all sessions together


class Slot:
    """A session's request to be admitted."""

    gone = False  # whether its connection has ended


class AdmissionController:
    """Admits up to ``limit`` sessions while ``is_room()`` is true; one session is admitted in any case. Methods may be called
    from any thread."""

    def __init__(self, limit: int, is_room: Callable[[], bool] = lambda: True) -> None:
        self.limit = limit
        self._is_room = is_room
        self._turns = threading.RLock()
        self.admitted: set[Slot] = set()
        self.waiting: list[Slot] = []  # the first in the queue first

    def request_slot(self, slot: Slot) -> int:
        """Admit the session if possible. Return 0 if it is admitted, otherwise its position in the queue, from 1."""
        with self._turns:
            if slot in self.admitted or slot.gone:
                return 0
            if slot not in self.waiting:
                self.waiting.append(slot)
            position = self.waiting.index(slot) + 1
            if position > self.limit - len(self.admitted) or (self.admitted and not self._is_room()):
                return position
            self.waiting.remove(slot)
            self.admitted.add(slot)
            return 0

    def release_slot(self, slot: Slot) -> None:
        """Remove a session that has ended, whether it was admitted or waiting."""
        with self._turns:
            self.admitted.discard(slot)
            if slot in self.waiting:
                self.waiting.remove(slot)


admission = AdmissionController(LIMITS.sessions, is_room)  # of this process


def admit_or_wait(slot: Slot) -> None:
    """Return if this session is admitted; otherwise stop the script and show its position in the queue until it is admitted."""
    if admission.request_slot(slot):
        elements.hide(("sidebar",))
        draw_fragment(_waiting_room, slot, interval=max(EVERY, len(admission.waiting) / PER_SECOND))
        st.stop()


def _waiting_room(slot: Slot) -> None:
    position = admission.request_slot(slot)
    if not position:
        st.rerun()
    elements.message_page(_("This server is full"), *sentences(admission, position))


def sentences(controller: AdmissionController, position: int) -> tuple[str, str]:
    """The sentences for a session at this position in the queue."""
    taken = _("All {n} places are taken.", n=f"{controller.limit:,}") if controller.limit > 1 else _("Its one place is taken.")
    why = taken if len(controller.admitted) >= controller.limit else _("Its memory is used up.")
    if position == 1:
        before = _("You are next. You need not reload.")
    else:
        before = _("You are number {n} in the line. You need not reload.", n=f"{position:,}")
    return joined(why, _("The page opens by itself as soon as somebody leaves.")), before
