"""Whoever computes takes a turn: one computation at a time in this process, in the order of asking (``turns.compute``)."""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from inspect import signature
from itertools import compress
from operator import not_
from typing import Any, TypeVar

from core.training.turns import Turns, compute, give_way, letting_others_compute
from pages.app.server.shared_cache import Key, common

Item = TypeVar("Item")
END = object()
_set_ups = Turns()


def in_turn(make: Callable[[], Item]) -> Item:
    """``make()``, when it is this reader's turn."""
    with compute():
        return make()


def at_once(make: Callable[[], Item]) -> Item:
    """``make()``, which takes but a moment: less than a turn comes late."""
    return make()


def in_turns(items: Iterable[Item]) -> Iterator[Item]:
    """Something long, in parts: each item is computed in a turn of its own."""
    rest = iter(items)
    while True:
        give_way()
        item = in_turn(lambda: next(rest, END))
        if item is END:
            return
        yield item


def set_up(make: Callable[[], Item]) -> Item:
    """``make()``, which takes long and is rarely asked for: beside whoever computes, so that nobody waits for it who did not ask.

    One at a time: on the way it may take a gigabyte.
    """
    with letting_others_compute(), _set_ups:
        return make()


def shared(
    most: int, when: Callable[[Callable[[], Item]], Item] = in_turn
) -> Callable[[Callable[..., Item]], Callable[..., Item]]:
    """What the function returns is found once and is the same for everybody; the newest ``most`` results are remembered, as far
    as there is room (``pages/app/server/shared_cache.py``).

    Arguments whose names begin with _ do not tell results apart. ``when``: ``in_turn`` or ``set_up``. Who waits for another
    reader's result lets that one compute.
    """

    def sharing(make: Callable[..., Item]) -> Callable[..., Item]:
        kind = f"{make.__module__}.{make.__qualname__}"
        tells = [not name.startswith("_") for name in signature(make).parameters]

        @wraps(make)
        def find(*how: Any) -> Item:
            what, made_of = tuple(compress(how, tells)), tuple(compress(how, map(not_, tells)))
            with letting_others_compute():
                return common.find(Key(kind, what), lambda: when(lambda: make(*how)), most, made_of)

        return find

    return sharing
