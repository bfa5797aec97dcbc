"""What a page draws, in its order: it is recorded while the page is drawn, so that it can be written into a file."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

Item = dict[str, Any]  # "is" is its kind: "component", or that of a text; the rest is as the browser's host reads it
_items: ContextVar[list[Item] | None] = ContextVar("items", default=None)


class RecordedState(NamedTuple):
    """One state of a page, such as an update of its run: its name, and all that the page draws in it."""

    name: str
    items: list[Item]


@contextmanager
def recording(items: list[Item] | None) -> Iterator[None]:
    """Append what is drawn within to ``items``; nothing where it is None."""
    token = _items.set(items)
    try:
        yield
    finally:
        _items.reset(token)


def record(kind: str, **item: Any) -> None:
    """An item of this kind is drawn now."""
    items = _items.get()
    if items is not None:
        items.append({"is": kind, **item})


def record_text(kind: str, *words: str) -> None:
    """Words that are drawn now, as plain text: the browser never reads them as markup."""
    record(kind, words=words)
