"""The limits of a server: in total, per session, per run. Each can be set in the environment: ``RNN_LIMIT_SESSIONS=60``.

``python -m core.config.limits`` prints the table. An invalid variable ends that command and the server with an error message.
``docs/running.md`` has more.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from reprlib import repr as quoted
from typing import Any

PREFIX = "RNN_LIMIT_"
MEGABYTE = 2**20


def _limit(default: int, between: tuple[int, int], description: str) -> Any:
    return field(default=default, metadata={"between": between, "description": description})


@dataclass(frozen=True)
class Limits:
    """The table of limits: the default, the valid range and the description of each."""

    sessions: int = _limit(500, (1, 100_000), "Tabs that are connected at once. Who comes then is told that the server is full.")
    server_megabytes: int = _limit(
        0,
        (0, 2**24),
        "Memory of the server's process, as the system counts it. Beyond it nobody is let in and no large run begins. "
        "0 is three quarters of the machine's or the container's.",
    )
    run_megabytes: int = _limit(512, (16, 2**20), "Memory that one run may take, as estimated before it begins.")
    compared_megabytes: int = _limit(512, (16, 2**20), "Memory of the networks that one visitor trains side by side.")
    processes: int = _limit(
        0, (0, 1024), "Processes that train networks side by side, for all visitors. 0 is one per core; two at least."
    )
    kept_seconds: int = _limit(600, (1, 86_400), "How long a run is kept whose tab is gone: a reload finds it again.")
    kept_megabytes: int = _limit(512, (0, 2**20), "Memory of all that is kept so; the oldest leave first.")
    characters: int = _limit(
        8_000_000, (1000, 16_000_000), "Of a text, or tokens of a generated one; the rest is cut off, and the reader is told."
    )
    pasted_characters: int = _limit(1_000_000, (1000, 8_000_000), "Of a text that is pasted.")
    text_megabytes: int = _limit(20, (1, 512), "Of a text that is uploaded.")
    file_megabytes: int = _limit(512, (1, 512), "Of a saved run that is written or opened.")
    link_updates: int = _limit(20_000, (0, 10_000_000), "Updates that a link may ask for: it trains as soon as it is opened.")
    examples: int = _limit(
        8,
        (0, 1000),
        "Networks that the server trains itself and keeps, to be shown to readers whose own is untrained. 0 is none.",
    )
    room_phones: int = _limit(1000, (1, 100_000), "Phones that answer in one room of a hall.")
    moments: int = _limit(64, (3, 1000), "Moments of a run that are kept, for going back to them.")


def read(environment: Mapping[str, str]) -> tuple[Limits, list[str]]:
    """The limits of an environment, and a sentence for each invalid variable, whose limit keeps its default."""
    limits = {_variable(limit): limit for limit in fields(Limits)}
    values, errors = {}, []
    for variable in sorted(name for name in environment if name.startswith(PREFIX)):
        if variable not in limits:
            errors.append(f"There is no limit called {variable}. `python -m core.config.limits` prints all there are.")
            continue
        text, (least, most) = environment[variable], limits[variable].metadata["between"]
        digits = text.strip().replace("_", "")
        if digits.isascii() and digits.isdecimal() and len(digits) < 20 and least <= int(digits) <= most:
            values[limits[variable].name] = int(digits)
        else:
            errors.append(f"{variable} is a whole number from {least:,} to {most:,}, not {quoted(text)}.")
    return Limits(**values), errors


def _variable(limit: Field) -> str:
    return PREFIX + limit.name.upper()


def table(limits: Limits) -> Iterator[str]:
    """The lines of the table, in Markdown."""
    yield "| variable | value | may be | what it limits |"
    yield "|---|---:|---|---|"
    for limit in fields(limits):
        least, most = limit.metadata["between"]
        value = getattr(limits, limit.name)
        yield f"| `{_variable(limit)}` | {value:_} | {least:_} to {most:_} | {limit.metadata['description']} |"


LIMITS, ERRORS = read(os.environ)


if __name__ == "__main__":
    print(*table(LIMITS), sep="\n")
    sys.exit("\n".join(ERRORS) or 0)
