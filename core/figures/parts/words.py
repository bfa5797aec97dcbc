"""Settings in the words of the screen: "rate 0.004", "clip off", "state carried"."""

from core.figures.parts.numbers import count, short
from core.settings import KNOBS, Settings

NAMES = {
    "corpus": "text",
    "unit": "unit",
    "vocab_cap": "V at most",
    "max_tokens": "length",
    "validation_share": "held out",
    "lag": "k",
    "hidden_size": "H",
    "embedding_size": "D",
    "activation": "φ",
    "init": "init",
    "gain": "gain",
    "input_scale": "W_xh std",
    "output_scale": "W_hq std",
    "batch_size": "N",
    "num_steps": "T",
    "optimizer": "",
    "learning_rate": "rate",
    "clip_norm": "clip",
    "truncation": "τ",
    "carry_state": "state",
    "spectral_radius": "radius",
}
VALUES = {
    ("corpus", "python_manual"): "Python manual",
    ("corpus", "lag"): "lag language",
    ("corpus", "echo"): "echo task",
    ("corpus", "own"): "your own text",
    ("unit", "char"): "by characters",
    ("unit", "word"): "by words",
    ("optimizer", "sgd"): "SGD",
    ("optimizer", "adagrad"): "Adagrad",
    ("optimizer", "adam"): "Adam",
    ("cleaning", "keep"): "as it is",
    ("cleaning", "letters"): "letters and blanks",
    ("clip_norm", 0.0): "off",
    ("max_tokens", 0): "all",
    ("embedding_size", 0): "one-hot",
    ("carry_state", True): "carried",
    ("carry_state", False): "reset",
    ("truncation", None): "whole window",
    ("input_scale", None): "by init",
    ("output_scale", None): "by init",
}


def value(name: str, what: object) -> str:
    """The value of a setting as it is said on screen."""
    if (name, what) in VALUES:
        return VALUES[name, what]
    if isinstance(what, int) and not isinstance(what, bool):
        return count(what) if what >= 10_000 else str(what)
    return short(what) if isinstance(what, float) else str(what)


def name(field: str) -> str:
    """The short name of a setting on screen."""
    return NAMES[field] if field in NAMES else KNOBS[field].label.lower()


def said(field: str, what: object) -> str:
    """Name and value: "rate 0.004", "Adam"."""
    return f"{name(field)} {value(field, what)}".strip()


def moved(field: str, old: object, new: object) -> str:
    """A knob's move: "rate 0.004 → 0.0015"."""
    return f"{name(field)} {value(field, old)} → {value(field, new)}".strip()


def differing(settings: Settings, other: Settings, most: int = 3) -> str:
    """What sets ``settings`` apart from ``other``: "H 32, rate 0.0005"."""
    fields = settings.differing(other, "live", "restart")
    words = [said(field, getattr(settings, field)) for field in fields]
    if not words:
        return "the same settings"
    return ", ".join(words[:most]) + (f" + {len(words) - most}" if len(words) > most else "")
