"""Whose turn it is. ``tests/core/training/test_live_run.py`` has what runs make of it."""

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from core.training.turns import Turns

LIMIT = 20.0  # seconds


def test_who_looks_waits_for_one_that_trains_and_not_for_all():
    turns, order = Turns(), []

    def come(name: str, turn: Callable[[], AbstractContextManager]) -> threading.Thread:
        def take() -> None:
            with turn():
                order.append(name)

        thread, waiting = threading.Thread(target=take), turns.waiting
        thread.start()
        while turns.waiting == waiting:
            time.sleep(0.001)
        return thread

    with turns.patiently():
        threads = [come(name, turns.patiently) for name in ("train 1", "train 2", "train 3")]
        threads += [come(name, lambda: turns) for name in ("look 1", "look 2")]
    for thread in threads:
        thread.join(LIMIT)
    assert order == ["look 1", "train 1", "look 2", "train 2", "train 3"]
