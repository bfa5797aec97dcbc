"""Whoever computes takes a turn: one computation at a time in this process, in the order of asking (``turns.compute``)."""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any, TypeVar

import streamlit as st

from core.training.turns import compute, give_way, letting_others_compute

Item = TypeVar("Item")
END = object()


def in_turn(make: Callable[[], Item]) -> Item:
    """``make()``, when it is this reader's turn."""
    with compute():
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


def shared(most: int) -> Callable[[Callable[..., Item]], Callable[..., Item]]:
    """What the function returns is found once and is the same for everybody; the newest ``most`` results are remembered.

    Arguments whose names begin with _ do not tell results apart. Who waits for another reader's result lets that one compute.
    """

    def sharing(make: Callable[..., Item]) -> Callable[..., Item]:
        @wraps(make)
        def in_its_turn(*how: Any) -> Item:
            return in_turn(lambda: make(*how))

        remembered = st.cache_resource(in_its_turn, max_entries=most, show_spinner=False)

        @wraps(make)
        def find(*how: Any) -> Item:
            with letting_others_compute():
                return remembered(*how)

        return find

    return sharing
