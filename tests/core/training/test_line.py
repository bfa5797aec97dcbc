"""A line lets in one after the other, in the order of coming; nobody waits long for one that takes long."""

import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest

from core.training.line import Line

SOON = 0.002  # seconds between two looks of who waits
PATIENCE = 60.0


class Visitors:
    """Threads that come to a line one after the other, and stay inside until they are told to leave."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.inside: list[int] = []
        self._changed = threading.Condition()
        self._leave = [threading.Event() for _ in range(4)]
        self._threads: list[threading.Thread] = []

    def come(self, waits: bool = True) -> None:
        """One more; returns when it stands in the line, or is inside."""
        before = self.line.waiting
        thread = threading.Thread(target=self._visit, args=(len(self._threads),), daemon=True)
        self._threads.append(thread)
        thread.start()
        while waits and self.line.waiting == before:
            thread.join(SOON)

    def leave(self, who: int) -> None:
        self._leave[who].set()
        self._threads[who].join(PATIENCE)

    def until(self, holds: Callable[[], bool]) -> None:
        with self._changed:
            assert self._changed.wait_for(holds, PATIENCE)

    def go(self) -> None:
        for event in self._leave:
            event.set()
        for thread in self._threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()

    def _visit(self, who: int) -> None:
        with self.line:
            with self._changed:
                self.inside.append(who)
                self._changed.notify_all()
            self._leave[who].wait(PATIENCE)


@pytest.fixture
def clock() -> SimpleNamespace:
    return SimpleNamespace(now=0.0)


@pytest.fixture
def visitors(clock: SimpleNamespace) -> Iterator[Visitors]:
    line = Line(longest=SOON, clock=lambda: clock.now)
    visitors = Visitors(line)
    visitors.come(waits=False)
    visitors.until(lambda: visitors.inside == [0])
    for _ in range(3):
        visitors.come()
    yield visitors
    visitors.go()


def test_one_after_the_other_in_the_order_of_coming(visitors: Visitors):
    for who in range(3):
        assert visitors.inside == list(range(who + 1))
        visitors.leave(who)
        visitors.until(lambda last=who + 1: visitors.inside[-1] == last)


def test_who_stays_for_long_keeps_nobody_waiting_and_leaves_without_letting_in_another(
    visitors: Visitors, clock: SimpleNamespace
):
    clock.now += SOON
    visitors.until(lambda: visitors.inside == [0, 1])
    visitors.leave(0)
    assert (visitors.inside, visitors.line.waiting) == ([0, 1], 2)
    visitors.leave(1)
    visitors.until(lambda: visitors.inside == [0, 1, 2])


def test_who_is_not_inside_has_nothing_to_give_back(visitors: Visitors):
    visitors.line.leave()
    assert (visitors.inside, visitors.line.waiting) == ([0], 3)


def test_who_fails_gives_the_place_back():
    line = Line()
    with pytest.raises(ZeroDivisionError), line:
        1 / 0  # noqa: B018
    with line:
        pass
