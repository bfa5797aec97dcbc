"""The part of a script that is its numbers, and the knobs that were moved while the run trained."""

import math
from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any

from core.config.settings import Settings
from core.training.history import RADIUS, Flag
from core.training.script.pieces import learning

WIDTH = 110  # characters of a line, at most
Moves = dict[str, dict[int, Any]]  # of each knob that was moved: its values, and the updates from which they held
CALLED = {  # a live knob in a script, and all its values
    "learning_rate": ("rate", "rates"),
    "clip_norm": ("clip", "clips"),
    "truncation": ("tau", "taus"),
    "cosine_until": ("until", "untils"),
    "weight_decay": ("decay", "decays"),
    "carry_state": ("carried", "carries"),
}
SIZES = {"H": "hidden_size", "D": "embedding_size", "N": "batch_size", "T": "num_steps"}
MEANING = {
    "H": "hidden units",
    "D": "embedding",
    "N": "sequences",
    "T": "time steps",
    "V": "symbols",
    "rate": "learning rate",
    "clip": "clip norm",
    "tau": "truncation",
    "until": "rate zero",
    "decay": "weight decay",
    "carried": "state carried",
}
LEFT_OUT = "But in the run knobs were moved {} times; here their last values hold from the start."
TOLD = "  # moved in the run, from these updates on"
PER_LINE = 3  # knobs
NEW_RADIUS = "if update in radii:\n    W_hh *= radii[update] / abs(np.linalg.eigvals(W_hh)).max()"
SCHEDULE = "eta = rate * (1 + np.cos(np.pi * min((update - 1) / until, 1))) / 2  # falls like a cosine, to 0"
CLIPPING = """\
norm = np.sqrt(sum((g * g).sum() for g in grads))  # of the whole gradient
grads = [g * min(1, clip / norm) for g in grads]"""


def beginning(settings: Settings, flags: Sequence[Flag], updates: int) -> tuple[Settings, Moves]:
    """The settings that a run began with, which has these settings now, and what was moved before the last of its updates."""
    for flag in reversed(flags):
        settings = _moved(settings, flag.name, flag.old)
    moves: Moves = {}
    for flag in flags:
        if flag.point.update == 0:
            settings = _moved(settings, flag.name, flag.new)
        if flag.point.update < updates and (flag.point.update or flag.name == RADIUS):
            moves.setdefault(flag.name, {})[flag.point.update + 1] = flag.new
    return settings, moves


def _moved(settings: Settings, name: str, value: Any) -> Settings:
    return settings if name == RADIUS else settings.but(**{name: value})


def knobs(settings: Settings, vocab_size: int, updates: int, moves: Moves, left_out: int = 0) -> dict[str, str]:
    """Pieces with all numbers, and what depends on live knobs. ``left_out`` moves are not in the script."""
    sizes = {symbol: getattr(settings, name) for symbol, name in SIZES.items()} | {"V": vocab_size}
    values = {CALLED[name][0]: _value(settings, name, getattr(settings, name)) for name in _needed(settings, moves)}
    return {
        "sizes": assigned({symbol: size for symbol, size in sizes.items() if size}, MEANING),
        "values": assigned({"updates": updates} | values, MEANING),
        "moves": _tables(settings, moves),
        "move": _moving(moves),
        "left_out": LEFT_OUT.format(left_out) if left_out else "",
        "h_0": "h[0] is carried in" if settings.carry_state or "carry_state" in moves else "h[0] stays 0",
        "carry": "h[0] = h[T] if carried else 0" if "carry_state" in moves else "h[0] = h[T]" * settings.carry_state,
        "schedule": SCHEDULE * ("until" in values),
        **learning(settings, "eta" if "until" in values else "rate", decayed="decay" in values),
        "clipping": CLIPPING if "clip" in values else "",
        "from_future": "da @ W_hh.T" + " if t % tau else 0  # cut every tau steps" * ("tau" in values),
    }


def _needed(settings: Settings, moves: Moves) -> list[str]:
    """The live knobs that a script has a name for: those that move, and those that act."""
    acts = {
        "learning_rate": True,
        "clip_norm": settings.clip_norm > 0,
        "truncation": (settings.truncation or settings.num_steps) < settings.num_steps,
        "cosine_until": settings.cosine_until > 0,
        "weight_decay": settings.weight_decay > 0,
    }
    return [name for name in CALLED if name in moves or acts.get(name)]


def _value(settings: Settings, name: str, value: Any) -> Any:
    """A knob's value as a number that needs no exception: what is off, comes at infinity."""
    if name in ("clip_norm", "cosine_until"):
        return value or math.inf
    return settings.num_steps if name == "truncation" and value is None else value


def _tables(settings: Settings, moves: Moves) -> str:
    """What was moved, a dictionary for each knob."""
    tables = []
    for name, values in moves.items():
        items = ", ".join(f"{update}: {spelled(_value(settings, name, value))}" for update, value in values.items())
        tables.append(_in_lines(f"{_values_of(name)} = {{", items, "}" + TOLD * (not tables)))
    return "\n".join(tables)


def _values_of(name: str) -> str:
    """What a script calls all values of a knob."""
    return "radii" if name == RADIUS else CALLED[name][1]


def _in_lines(start: str, items: str, end: str) -> str:
    """A dictionary in as few lines as there is room for; the items of each stand under those of the first."""
    whole = items.replace(": ", ":\0") + end.replace(" ", "\0")
    return fill(whole, WIDTH, initial_indent=start, subsequent_indent=" " * len(start)).replace("\0", " ")


def _moving(moves: Moves) -> str:
    """What a script does at the start of every update."""
    called = [CALLED[name] for name in moves if name != RADIUS]
    lines = [_now(called[i : i + PER_LINE]) for i in range(0, len(called), PER_LINE)]
    return "\n".join([*lines, *[NEW_RADIUS] * (RADIUS in moves)])


def _now(called: Sequence[tuple[str, str]]) -> str:
    """Each of these knobs gets the value it has from this update on, if it has one."""
    return f"{', '.join(one for one, _ in called)} = {', '.join(f'{all_of}.get(update, {one})' for one, all_of in called)}"


def assigned(constants: Mapping[str, float], meaning: Mapping[str, str]) -> str:
    """All constants in one line, and what they are where there is room: "H, N = 128, 32  # hidden units, sequences". Two lines
    where their digits need them."""
    line = f"{', '.join(constants)} = {', '.join(map(spelled, constants.values()))}"
    if len(line) > WIDTH:
        names = list(constants)
        halves = names[: len(names) // 2], names[len(names) // 2 :]
        return "\n".join(assigned({name: constants[name] for name in half}, meaning) for half in halves)
    told = f"{line}  # {', '.join(meaning[name] for name in constants if name in meaning)}"
    return told if len(told) <= WIDTH else line


def spelled(value: float) -> str:
    """A number as a script has it."""
    return "np.inf" if value == math.inf else repr(value)
