"""Limits of a process: sessions, pages drawn at once, reruns of fragments, open files and connections."""

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from weakref import WeakSet

import pytest
from hypothesis import given, strategies as st

from pages.app.connection import admission_control
from pages.app.connection.admission_control import Slot, refusal
from pages.app.lifespan import DESCRIPTORS, raise_file_limit, set_tcp_no_delay
from pages.app.navigation import auto_refresh as module
from pages.app.navigation.auto_refresh import JITTER, MANY, RERUNS, is_outdated, poll_interval
from pages.app.server import draw_limit
from pages.app.server.draw_limit import LIMIT, draw_slot


@pytest.fixture(autouse=True)
def places(monkeypatch) -> None:
    """A server with two places, which are free."""
    monkeypatch.setattr(admission_control, "PLACES", 2)
    monkeypatch.setattr(admission_control, "admitted", WeakSet())


def test_no_more_than_the_limit_are_admitted_until_one_leaves():
    one, other, late = Slot(), Slot(), Slot()
    assert [bool(refusal(slot)) for slot in (one, other, late, one)] == [False, False, True, False]
    one.gone = True
    assert not refusal(late)
    assert refusal(Slot())


def test_a_slot_that_has_ended_takes_no_place():
    slots = [Slot() for _ in range(3)]
    for slot in slots:
        slot.gone = True
        assert not refusal(slot)  # its script ends by itself
    assert not refusal(Slot())


def test_without_free_memory_only_one_session_is_admitted(monkeypatch):
    monkeypatch.setattr(admission_control, "is_room", lambda: False)
    first, second = Slot(), Slot()
    assert not refusal(first)
    assert refusal(second)
    assert not refusal(first)
    first.gone = True
    assert not refusal(second)


AGES = 600.0  # seconds; longer than any test


@contextmanager
def another_thread_draws() -> Iterator[threading.Event]:
    """Draw in another thread; yield an event that is set once that thread has drawn."""
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
    """Occupy all slots for drawing pages until this stack is closed."""
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


def test_the_limit_of_open_files_is_raised_to_what_the_system_allows():
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(before[0], 256), before[1]))  # the default of some systems
    try:
        raise_file_limit()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (before[1], before[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.skipif(not DESCRIPTORS.is_dir(), reason="Windows lists no descriptors")
def test_accepted_sockets_have_tcp_nodelay():
    with socket.socket(socket.AF_INET) as server, socket.socket(socket.AF_INET) as client:
        server.bind(("127.0.0.1", 0))
        server.listen()
        set_tcp_no_delay()
        client.connect(server.getsockname())
        with server.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@given(runs=st.integers(0, 1000), usual=st.floats(0.1, 4.0))
def test_all_runs_together_rerun_a_fragment_no_more_often_than_the_limit(runs, usual):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "how_many_train", lambda: runs)
        interval, least = poll_interval(usual), max(usual, runs / RERUNS, runs * usual / MANY)
        assert least <= interval <= (1 + JITTER) * least
        assert runs > 3 or poll_interval(0.2) == 0.2
        assert not is_outdated(interval, usual)


def test_an_interval_is_outdated_when_far_more_or_far_fewer_runs_train(monkeypatch):
    monkeypatch.setattr(module, "JITTER", 0.0)
    monkeypatch.setattr(module, "how_many_train", lambda: 30)
    drawn = poll_interval(0.2)
    for runs, outdated in ((31, False), (20, False), (61, True), (14, True), (1, True)):
        monkeypatch.setattr(module, "how_many_train", lambda runs=runs: runs)
        assert is_outdated(drawn, 0.2) == outdated
