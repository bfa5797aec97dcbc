"""A limited number of pages is drawn at once."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from pages.app.server import draw_limit
from pages.app.server.draw_limit import LIMIT, draw_slot

AGES = 600.0  # seconds; longer than any test may take


@contextmanager
def another_thread_draws() -> Iterator[threading.Event]:
    """An event that is set once another thread has drawn a page."""
    drawn = threading.Event()

    def draw() -> None:
        with draw_slot():
            drawn.set()

    thread = threading.Thread(target=draw)
    thread.start()
    yield drawn
    thread.join()


@pytest.fixture
def others() -> Iterator[ExitStack]:
    """As many pages as may be drawn at once, until this stack is closed."""
    with ExitStack() as pages:
        for _ in range(LIMIT):
            pages.enter_context(draw_slot())
        yield pages


def test_one_more_page_waits_until_another_is_drawn(others, monkeypatch):
    monkeypatch.setattr(draw_limit, "TIMEOUT", AGES)
    with another_thread_draws() as drawn:
        assert not drawn.wait(0.1)
        others.close()
        assert drawn.wait(60)


def test_a_page_that_raises_frees_its_slot(monkeypatch):
    monkeypatch.setattr(draw_limit, "TIMEOUT", AGES)
    for _ in range(LIMIT):
        with pytest.raises(RuntimeError), draw_slot():
            raise RuntimeError
    with another_thread_draws() as drawn:
        assert drawn.wait(60)


def test_pages_that_never_end_do_not_block_another(others, monkeypatch):
    monkeypatch.setattr(draw_limit, "TIMEOUT", 0.01)
    with another_thread_draws() as drawn:
        assert drawn.wait(60)
