"""How a run is spelled in an address: URL parameters to settings, and to the update that it runs to, and back."""

from reprlib import repr as quoted
from typing import Any

from core.config.knob import Knob
from core.config.language import gettext as _
from core.config.limits import LIMITS
from core.config.settings import DEFAULTS, KNOBS, Settings

NONE_WORD = "none"  # how None is spelled
MOMENT = "update"  # the parameter that says to which update a run trains as soon as its link is opened
FURTHEST = LIMITS.link_updates  # usually some minutes of a default run; who wants more presses play
_MOMENT = Knob("view", "Update", "Up to which the run of a link trains at once.", between=(0, FURTHEST), type=int)
_READERS = {
    str: str,
    int: int,
    float: float,
    bool: {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}.__getitem__,
}


def to_query(settings: Settings) -> dict[str, str]:
    """URL parameters: the fields that differ from their default, as text. Inverse of :func:`from_query`."""
    return {name: to_text(getattr(settings, name)) for name in settings.differing(DEFAULTS)}


def from_query(query: dict[str, str], base: Settings = DEFAULTS) -> tuple[Settings, list[str]]:
    """Any URL parameters become valid settings: what cannot be read keeps its value in ``base`` and is told.

    Returns the settings and one sentence per parameter that was passed over.
    """
    values, notices = {}, []
    for name, text in query.items():
        try:
            values[name] = parse(name, text)
        except ValueError as error:
            notices.append(str(error))
    return base.but(**values), notices


def to_text(value: Any) -> str:
    """A value as it is spelled in a URL. ``parse(name, to_text(value)) == value`` for every valid value."""
    if value is None:
        return NONE_WORD
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(float(value)) if isinstance(value, float) else str(value)


def parse(name: str, text: str) -> Any:
    """The value of field ``name`` that ``text`` spells, or says as the screen does ("off"); ``ValueError`` with a sentence."""
    if name not in KNOBS:
        raise ValueError(_("There is no setting called {name}.", name=quoted(name)))
    return _read(KNOBS[name], text)


def moment_of(text: str) -> int:
    """The update that a link asks for; ``ValueError`` with a sentence where that is none, or further than a link goes."""
    return _read(_MOMENT, text)


def is_yes(name: str, text: str) -> bool:
    """Whether a parameter that is no setting says yes; ``ValueError`` with a sentence where it says neither yes nor no."""
    try:
        return _READERS[bool](text.strip().lower())
    except KeyError:
        raise ValueError(_("{name} is 1 or 0, not {value}.", name=name, value=quoted(text))) from None


def _read(knob: Knob, text: str) -> Any:
    word = text.strip().lower()
    if word == NONE_WORD and knob.optional:
        return None
    for value, said in knob.words.items():
        if word in (said.lower(), _(said).lower()):
            return value
    try:
        value = _READERS[knob.type](word)
    except (ValueError, KeyError, OverflowError):
        raise knob.refusal(text) from None
    knob.check(value)
    return value
