"""Source code beside a picture: the lines of each sub-step, and the arrays in them with their shapes and numbers.

A table names the lines of a sub-step by fragments of their code, as a line number would be wrong after the next edit. A fragment
that is not in exactly one line raises ``ValueError``, so a test that draws the listing finds a table that no longer fits.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from textwrap import dedent
from types import MappingProxyType
from typing import NamedTuple, TypedDict

import numpy as np

from core.config.language import gettext as _, language
from core.training.script.comments import translated
from pages.figures.parts.numbers import count, number

REPO = Path(__file__).parents[3]
SHOWN = 5  # numbers of an array


class SubStep(NamedTuple):
    """What a sub-step computes: fragments of its lines, and the arrays in them: name in the code -> key of the array."""

    code: tuple[str, ...]
    arrays: Mapping[str, str] = MappingProxyType({})


class Source(NamedTuple):
    """Functions and classes, and what they compute in the sub-steps of each pass; ``note``: what to know about the numbers."""

    name: str
    made_by: tuple[Callable | type, ...]
    passes: tuple[tuple[SubStep, ...], ...]
    note: str = ""


class CodePart(TypedDict):
    """A function or class; ``first`` is the number of its first line in the file."""

    place: str
    first: int
    lines: list[str]


class Listing(TypedDict):
    """By pass and sub-step: the lines [part, line] that compute it, and the arrays [name in the code, index] in them."""

    name: str
    parts: list[CodePart]
    lines: list[list[list[tuple[int, int]]]]
    names: list[list[list[tuple[str, int]]]]
    note: str


class ShownArray(TypedDict):
    """The shape, and the first numbers at each step: one text if they are the same at all steps, none if they are not shown."""

    shape: str
    numbers: list[str]


class ListingDrawing(TypedDict):
    """The same computation in several listings. ``substeps``: the names of the sub-steps of each pass."""

    listings: list[Listing]
    substeps: list[list[str]]
    arrays: list[ShownArray]


def listings_with(
    sources: Sequence[Source], substeps: Sequence[Sequence[str]], arrays: Mapping[str, ShownArray]
) -> ListingDrawing:
    """Listings with the arrays that are there; ``ValueError`` if a table of sub-steps does not fit its code."""
    listings = [_listing(source, len(substeps), list(arrays)) for source in sources]
    return {"listings": listings, "substeps": [list(names) for names in substeps], "arrays": list(arrays.values())}


def _listing(source: Source, passes: int, keys: Sequence[str]) -> Listing:
    parts = list(map(code_part, source.made_by))
    shown = source.passes[:passes]
    return {
        "name": _(source.name),
        "parts": parts,
        "lines": [[[line_of(parts, code) for code in substep.code] for substep in substeps] for substeps in shown],
        "names": [[_indices(substep.arrays, keys) for substep in substeps] for substeps in shown],
        "note": source.note,
    }


def _indices(arrays: Mapping[str, str], keys: Sequence[str]) -> list[tuple[str, int]]:
    return [(name, keys.index(key)) for name, key in arrays.items() if key in keys]


def code_part(made_by: Callable | type) -> CodePart:
    """The code of a function or class, with its comments in the reader's language where they are translated."""
    return _code_part(inspect.unwrap(made_by), language())


@lru_cache(maxsize=256)
def _code_part(made_by: Callable | type, _language: str) -> CodePart:
    lines, first = inspect.getsourcelines(made_by)
    file = Path(inspect.getfile(made_by)).relative_to(REPO).as_posix()
    place = _("{file}, lines {first} to {last}", file=file, first=first, last=first + len(lines) - 1)
    return {"place": place, "first": first, "lines": translated(dedent("".join(lines)), _).splitlines()}


def line_of(parts: Sequence[CodePart], code: str) -> tuple[int, int]:
    """The part and the line, both counted from 0, that contain this code; ``ValueError`` unless it is one line."""
    found = [(i, j) for i, part in enumerate(parts) for j, line in enumerate(part["lines"]) if code in line]
    if len(found) != 1:
        raise ValueError(f"{code!r} is in {len(found)} lines of {', '.join(part['place'] for part in parts)}.")
    return found[0]


def shape_in_words(symbols: str, sizes: Mapping[str, int]) -> str:
    """A shape by its symbols and in numbers: (N, H) = (1, 128)."""
    comma = "," * (len(symbols) == 1)
    return f"({symbols}{comma}) = ({', '.join(count(sizes[symbol]) for symbol in symbols.split(', '))}{comma})"


def shown_array(symbols: str, sizes: Mapping[str, int], steps: np.ndarray | None = None) -> ShownArray:
    """An array with the numbers ``steps`` (steps, W), of which the first are shown; None: only its shape is."""
    return {"shape": shape_in_words(symbols, sizes), "numbers": [] if steps is None else list(map(_first_numbers, steps))}


def _first_numbers(values: np.ndarray) -> str:
    return "  ".join([number(float(value), 2) for value in values[:SHOWN]] + ["…"] * (len(values) > SHOWN))
