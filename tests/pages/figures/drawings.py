"""Functions that read numbers and words from a drawing, and check that its data have their declared type."""

import json
import re
from collections.abc import Mapping
from typing import Any, TypedDict

import msgspec

RAISED = str.maketrans("−⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "--0123456789")
NUMBER = re.compile(r"([-+]?[\d.]*)·?(?:10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?")  # 12.5, 2·10⁻³, 10⁶


def value(text: str) -> float:
    """Parse a number as written on the screen: with a true minus, in brackets, or times a raised power of ten."""
    digits, exponent = NUMBER.fullmatch(text.strip("()").replace("−", "-").replace("\u202f", "")).groups()
    return float(digits or 1) * 10.0 ** int((exponent or "0").translate(RAISED))


def exact(matrix: dict[str, Any]) -> list[list[float]]:
    """The cells of a matrix with all six decimals, as in their tooltips."""
    return [[value(full) for _, _, full in row] for row in matrix["cells"]]


def texts(grid: dict[str, Any]) -> list[list[str]]:
    """The cells of a table."""
    return [[cell["text"] for cell in row["cells"]] for row in grid["rows"]]


def trace(figure: dict[str, Any], name: str) -> dict[str, Any] | None:
    """The curve of this name in a plotly figure."""
    return next((curve for curve in figure["data"] if curve["name"] == name), None)


def words(pieces: list[list[str]]) -> str:
    """A sentence in pieces of [text, tone]."""
    return "".join(text for text, _ in pieces)


def check_data(data: Any, shows: Any) -> None:
    """Check that ``data`` as JSON have this type: ``msgspec.ValidationError`` if a name is missing or a value has another type,
    ``AssertionError`` if a name is not declared, as msgspec drops it.
    """
    sent = json.dumps(data, allow_nan=False)
    kind = TypedDict("Data", dict(shows)) if isinstance(shows, Mapping) else shows
    read = msgspec.json.decode(sent, type=kind)
    assert json.loads(msgspec.json.encode(read)) == json.loads(sent)
