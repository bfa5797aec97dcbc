"""Admission control: a tab that comes when all places are taken, or the memory is used up, is shown a sentence."""

from core.config.language import gettext as _
from core.config.limits import LIMITS
from core.training.memory import is_room

PLACES = LIMITS.sessions  # tabs that are connected at once


class Slot:
    """A tab's place in this process."""

    gone = False  # whether its connection has ended


admitted: set[Slot] = set()  # slots of connected tabs


def refusal(slot: Slot) -> str:
    """Admit a tab and return "", or a sentence that says why it is not admitted. May be called from any thread."""
    if slot in admitted or slot.gone:
        return ""
    if admitted and not is_room():  # one tab is admitted in any case
        return _("Its memory is used up.")
    admitted.add(slot)  # before counting: two tabs that come at once cannot both take the last place
    if len(admitted) > PLACES:
        admitted.discard(slot)
        return _("All {n} places are taken.", n=f"{PLACES:,}") if PLACES > 1 else _("Its one place is taken.")
    if slot.gone:  # it left meanwhile
        admitted.discard(slot)
    return ""
