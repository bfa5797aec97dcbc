"""Settings as they are worded on the screen: "rate 0.004", "clip off", "state carried"."""

from core.config.language import gettext as _
from core.config.settings import KNOBS, Settings
from core.training.history import RADIUS, Flag
from pages.figures.parts.numbers import count, short


def value(name: str, what: object) -> str:
    """The value of a setting as it is displayed."""
    if name in KNOBS and what in KNOBS[name].words:
        return _(KNOBS[name].words[what])
    if isinstance(what, int) and not isinstance(what, bool):
        return count(what) if what >= 10_000 else str(what)
    return short(what) if isinstance(what, float) else str(what)


def name(field: str) -> str:
    """The short name of a setting on screen."""
    if field == RADIUS:
        return _("radius")
    knob = KNOBS[field]
    return (knob.symbol or _(knob.label).lower()) if knob.short is None else _(knob.short)


def setting(field: str, what: object) -> str:
    """Name and value: "rate 0.004", "Adam"."""
    return f"{name(field)} {value(field, what)}".strip()


def moved(field: str, old: object, new: object) -> str:
    """The change of a setting: "rate 0.004 → 0.0015"."""
    return f"{name(field)} {value(field, old)} → {value(field, new)}".strip()


def undo_sentences(move: Flag, back_to: int | None = None) -> tuple[str, str]:
    """The effect of undo on the setting and on the network, which returns to update ``back_to`` or stays as it is."""
    does = _("undo: {setting} back to {value}", setting=name(move.name), value=value(move.name, move.old))
    if back_to is not None:
        return does, _("undo takes the network back to update {n}", n=count(back_to))
    return does, _("undo leaves what was learnt since") if move.name == RADIUS else _("undo leaves the network as it is")


def differing(settings: Settings, other: Settings, most: int = 3) -> str:
    """The values of ``settings`` that differ from ``other``, the first ``most`` of them: "H 32, rate 0.0005"."""
    words = differing_values(settings, other)
    if not words:
        return _("the same settings")
    return ", ".join(words[:most]) + (f" + {len(words) - most}" if len(words) > most else "")


def differing_values(settings: Settings, other: Settings) -> list[str]:
    """The values of ``settings`` that differ from ``other``, those of the text first."""
    fields = sorted(settings.differing(other, "live", "restart"), key=lambda field: not KNOBS[field].of_text)
    return [setting(field, getattr(settings, field)) for field in fields]
