"""How many pages are drawn at once."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from pages.ui import draw_limit
from pages.ui.draw_limit import LIMIT, draw_slot


@contextmanager
def another(drawn: threading.Event) -> Iterator[None]:
    """Meanwhile another thread draws a page."""

    def draw() -> None:
        with draw_slot():
            drawn.set()

    thread = threading.Thread(target=draw)
    thread.start()
    yield
    thread.join()


def test_one_more_page_waits_until_another_is_drawn():
    drawn = threading.Event()
    with ExitStack() as pages:
        for _ in range(LIMIT):
            pages.enter_context(draw_slot())
        with another(drawn):
            assert not drawn.wait(0.1)
            pages.close()
    assert drawn.is_set()


def test_a_page_that_raises_frees_its_slot():
    for _ in range(2 * LIMIT):
        with pytest.raises(RuntimeError), draw_slot():
            raise RuntimeError
    drawn = threading.Event()
    with another(drawn):
        pass
    assert drawn.is_set()


def test_pages_that_never_end_hold_up_no_other_one(monkeypatch):
    monkeypatch.setattr(draw_limit, "TIMEOUT", 0.01)
    drawn = threading.Event()
    with ExitStack() as pages:
        for _ in range(LIMIT):
            pages.enter_context(draw_slot())
        with another(drawn):
            assert drawn.wait(60)
