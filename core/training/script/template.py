"""How a script is made: a template and pieces of code."""

import math
from collections.abc import Mapping
from string import Template

WIDTH = 110  # characters of a line, at most


def filled(template: str, pieces: Mapping[str, str]) -> str:
    """The template with each ``$name`` replaced by that piece. A piece of several lines goes as far in as the line it stands in,
    and a line of which nothing is left goes away."""
    lines = []
    for line in template.splitlines():
        room = "\n" + line[: len(line) - len(line.lstrip())]
        now = Template(line).substitute(pieces).replace("\n", room) if "$" in line else line
        if now.strip() or not line:
            lines.append(now)
    return "\n".join(lines)


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
