"""Records the components and texts of a page, in order, while the page is drawn, so that they can be written to a file."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

Item = dict[str, Any]  # "is": "component" or the kind of a text; the other keys are those that page_host.js reads
_items: ContextVar[list[Item] | None] = ContextVar("items", default=None)


class RecordedState(NamedTuple):
    """One state of a page, such as an update of its run: its name, and the items that the page draws."""

    name: str
    items: list[Item]


@contextmanager
def recording(items: list[Item] | None) -> Iterator[None]:
    """Append the items drawn within the block to ``items``; record nothing if ``items`` is None."""
    token = _items.set(items)
    try:
        yield
    finally:
        _items.reset(token)


def is_recording() -> bool:
    """Whether what is drawn is recorded."""
    return _items.get() is not None


def record(kind: str, **item: Any) -> None:
    """Record an item of this kind if a recording is active."""
    items = _items.get()
    if items is not None:
        items.append({"is": kind, **item})


def record_text(kind: str, *words: str) -> None:
    """Record words as plain text, which the browser never parses as HTML."""
    record(kind, words=words)
