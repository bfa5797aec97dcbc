"""Admission control: a tab that comes when all places are taken, or the memory is used up, is shown a sentence."""

import threading
from weakref import WeakSet

from core.config.language import gettext as _
from core.config.limits import LIMITS
from core.training.memory import is_room

PLACES = LIMITS.sessions  # tabs that are connected at once
_lock = threading.Lock()


class Slot:
    """A tab's place in this process."""

    gone = False  # whether its connection has ended


admitted: WeakSet[Slot] = WeakSet()  # also those that are gone


def refusal(slot: Slot) -> str:
    """Admit a tab and return "", or a sentence that says why it is not admitted. May be called from any thread."""
    with _lock:
        if slot in admitted or slot.gone:
            return ""
        taken = sum(not one.gone for one in admitted)
        if taken and not is_room():  # one tab is admitted in any case
            return _("Its memory is used up.")
        if taken >= PLACES:
            return _("All {n} places are taken.", n=f"{PLACES:,}") if PLACES > 1 else _("Its one place is taken.")
        admitted.add(slot)
        return ""
