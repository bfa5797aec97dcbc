"""The results that a session remembers: when they are found again, when they are computed anew, and for whom."""

import threading
from collections.abc import Callable

import pytest

from core.config.settings import Settings
from core.training.run.fair_lock import compute_lock
from pages.app.server.compute_lock import iterate_with_compute_lock, with_compute_lock
from pages.app.session import session_cache
from pages.app.session.session import Session
from pages.app.session.session_cache import AT_ONCE, RefreshPolicy, cached_for_corpus, cached_for_run, cached_for_serial
from tests.pages.app_session import LIMIT

SMALL = Settings(max_tokens=4000, hidden_size=4, batch_size=4, num_steps=4)
FOR_EVER = RefreshPolicy(0.0, 1e9)


@pytest.fixture
def session() -> Session:
    return Session(SMALL, [])


@pytest.fixture
def make() -> Callable[[], int]:
    """A function that gives back how often it was called."""
    calls = iter(range(1, 1000))
    return lambda: next(calls)


def test_a_result_is_found_again_until_the_run_has_moved_on(session, make):
    assert [cached_for_run(session, "a", make), cached_for_run(session, "a", make)] == [1, 1]
    session.run.step()
    assert cached_for_run(session, "a", make) == 2
    session.run.scale_to_radius(0.5)
    assert cached_for_run(session, "a", make) == 3
    session.start(SMALL.but(seed=1))
    assert cached_for_run(session, "a", make) == 4


def test_while_the_run_trains_a_result_may_be_old_but_not_of_another_choice(session, make, monkeypatch):
    monkeypatch.setattr(Session, "moving", True)
    assert cached_for_run(session, "a", make, "x", pace=FOR_EVER) == 1
    next(session.monitored)
    assert cached_for_run(session, "a", make, "x", pace=FOR_EVER) == 1
    assert cached_for_run(session, "a", make, "y", pace=AT_ONCE) == 2
    next(session.monitored)
    assert cached_for_run(session, "a", make, "y", pace=AT_ONCE) == 3


def test_results_of_moments_are_remembered_up_to_a_number(session, make):
    assert [cached_for_serial(session, "a", serial, make) for serial in (1, 2, 1, 2)] == [1, 2, 1, 2]
    for serial in range(10, 10 + session_cache.MOST):
        cached_for_serial(session, "a", serial, make)
    assert cached_for_serial(session, "a", 1, make) > 2
    assert len(session.cache) == session_cache.MOST


def test_sessions_share_the_results_of_a_text_but_not_of_their_own(session, make):
    own, other = "abcdefgh " * 600, Session(SMALL, [])
    assert cached_for_corpus(session, "test_results", make) == cached_for_corpus(other, "test_results", make) == 1
    for each in (session, other):
        each.start(SMALL.but(corpus="own"), own)
    assert [cached_for_corpus(each, "test_results", make) for each in (session, session, other)] == [2, 2, 3]


def test_other_threads_compute_between_the_parts_of_a_long_result(session):
    computed = threading.Event()

    def other() -> None:
        with compute_lock:
            computed.set()

    def parts():
        thread.start()
        assert not computed.is_set()
        while not computed.is_set():
            yield

    thread = threading.Thread(target=other)
    cached_for_run(session, "long", lambda: list(iterate_with_compute_lock(parts())))
    thread.join(LIMIT)
    assert computed.is_set()


def test_two_threads_that_ask_for_the_same_result_do_not_deadlock(session):
    """One holds the right to compute when it asks, the other finds the result in parts."""
    began, other = threading.Event(), Session(SMALL, [])

    def parts():
        began.set()
        yield from range(200)

    def find(stage: Session) -> int:
        return cached_for_corpus(stage, "test_results_waiting", lambda: len(list(iterate_with_compute_lock(parts()))))

    thread = threading.Thread(target=find, args=(session,), daemon=True)
    with compute_lock:
        thread.start()
        found = with_compute_lock(lambda: began.wait(0.0) or find(other))
    thread.join(LIMIT)
    assert not thread.is_alive()
    assert found == 200
