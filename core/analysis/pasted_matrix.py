"""A matrix in a text, as PyTorch or NumPy prints it: ``tensor([[1., 2.], [3., 4.]], requires_grad=True)``, ``array([...])``,
nested brackets, or rows of plain numbers. The text is read, never evaluated."""

import re
import unicodedata
from typing import Any

import numpy as np
from jaxtyping import Float

from core.config.language import lazy_gettext

MOST_CHARACTERS = 4000  # characters
SHOWN = 20  # characters of what is refused
NAMES = {"tensor", "array", "Tensor", "Array", "ndarray", "matrix", "Parameter"}
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
PIECES = re.compile(r"[\[\]]|[^\[\],\s]+")
BEFORE = re.compile(r"(\w+=)?(Parametercontaining:)?(\w+\.)?(\w*)\(?")  # without blanks
OPTION = re.compile(r"(dtype|device|requires_grad|grad_fn|shape|size)=.*")
OPTIONS = re.compile(r",(?![^(]*\))")  # the commas between them
REASONS = {
    "long": lazy_gettext("This text has {n} characters; a matrix for these cells is shorter than {most}."),
    "empty": lazy_gettext("Paste a matrix, such as [[1, 2], [3, 4]]."),
    "word": lazy_gettext("“{word}” is not a number."),
    "finite": lazy_gettext("“{word}” is no finite number, and no cell can take it."),
    "cut": lazy_gettext("“…” stands where the print leaves numbers out: print a smaller tensor, or all of it."),
    "brackets": lazy_gettext("Brackets do not match: {opened} are opened, {closed} are closed."),
    "order": lazy_gettext("A bracket is closed before it is opened."),
    "several": lazy_gettext("These are several matrices: paste one of them."),
    "beside": lazy_gettext("Beside the matrix stands “{word}”: paste the print of one tensor, nothing else."),
    "nothing": lazy_gettext("There is no number in these brackets."),
    "depth": lazy_gettext("This has {n} dimensions; a matrix has two: paste one of its matrices."),
    "mixed": lazy_gettext("Numbers and rows stand side by side: every row has its own brackets."),
    "ragged": lazy_gettext("Row {i} has {n} numbers, row 1 has {first}: the rows of a matrix are equally long."),
}


def read_matrix(text: str) -> Float[np.ndarray, "A B"]:
    """The matrix in a text; a vector is one row, outer dimensions of length 1 are left out. ``ValueError`` with the reason."""
    if len(text) > MOST_CHARACTERS:
        raise _refusal("long", n=len(text), most=MOST_CHARACTERS)
    text = unicodedata.normalize("NFKC", text.replace("…", "...")).replace("−", "-").strip()
    if not text:
        raise _refusal("empty")
    if "..." in text:
        raise _refusal("cut")
    nested = (
        _nested(_inside(text))
        if "[" in text or "]" in text
        else [_row(line) for line in re.split(r"[\n;]", text) if line.strip()]
    )
    rows = _two_dimensional(nested)
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise _refusal("ragged", i=i + 1, n=len(row), first=len(rows[0]))
    return np.array(rows, float)


def _inside(text: str) -> str:
    """The text from the first to the last bracket, if nothing but the name and the options of a tensor stands beside it."""
    opened, closed = text.count("["), text.count("]")
    first, last = text.find("["), text.rfind("]") + 1
    if opened != closed:
        raise _refusal("brackets", opened=opened, closed=closed)
    if first >= last:
        raise _refusal("order")
    before, after = text[:first], text[last:]
    found = BEFORE.fullmatch(re.sub(r"\s", "", before))
    if not found or (found[4] and found[4] not in NAMES):
        raise _refusal("beside", word=before.strip()[:SHOWN])
    for option in OPTIONS.split(after.strip(" \n;,.").removesuffix(")")):
        if option.strip() and not OPTION.fullmatch(option.strip()):
            raise _refusal("beside", word=option.strip()[:SHOWN])
    return text[first:last]


def _nested(text: str) -> list[Any]:
    """Nested lists of numbers in a text that begins and ends with a bracket."""
    stack: list[list[Any]] = [[]]
    for piece in PIECES.findall(text):
        if len(stack) == 1 and stack[0]:
            raise _refusal("several" if piece == "[" else "order" if piece == "]" else "beside", word=piece[:SHOWN])
        if piece == "[":
            stack.append([])
        elif piece == "]":
            stack[-2].append(stack.pop())
        else:
            stack[-1].append(_number(piece))
    return stack[0][0]


def _row(line: str) -> list[float]:
    return [_number(piece) for piece in PIECES.findall(line)]


def _number(word: str) -> float:
    if re.fullmatch(r"[-+]?(nan|inf|infinity)", word, re.IGNORECASE):
        raise _refusal("finite", word=word)
    if not NUMBER.fullmatch(word):
        raise _refusal("word", word=word[:SHOWN])
    value = float(word)
    if not np.isfinite(value):
        raise _refusal("finite", word=word[:SHOWN])
    return value


def _two_dimensional(nested: list[Any]) -> list[list[float]]:
    """The rows of nested lists."""
    depth = _depth(nested)
    while depth > 2 and len(nested) == 1:
        nested, depth = nested[0], depth - 1
    if depth > 2:
        raise _refusal("depth", n=depth)
    if not nested or [] in nested:
        raise _refusal("nothing")
    rows = nested if depth == 2 else [nested]
    if not all(isinstance(row, list) for row in rows) or any(isinstance(cell, list) for row in rows for cell in row):
        raise _refusal("mixed")
    return rows


def _depth(nested: list[Any]) -> int:
    """How deep the lists are nested; without recursion, as the text may be hostile."""
    depth, level = 0, [nested]
    while level:
        depth += 1
        level = [inner for one in level for inner in one if isinstance(inner, list)]
    return depth


def _refusal(why: str, **values: Any) -> ValueError:
    return ValueError(lazy_gettext(REASONS[why], **values))
