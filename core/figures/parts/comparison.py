"""Two or more things side by side: their numbers, and the sentence that these make."""

from typing import NotRequired, TypedDict


class Gauge(TypedDict):
    """A length before and after, as shares of the widest bar."""

    says: str
    turned: str
    before: float
    after: float


class Comparison(TypedDict):
    """A column for each thing; a row begins with its name."""

    columns: list[str]
    rows: list[list[str]]
    gauges: NotRequired[list[list[str | Gauge]]]
    sentence: NotRequired[str]
    lines: NotRequired[int]  # that the sentence has room for
    note: NotRequired[str]
