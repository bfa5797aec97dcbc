"""Cached results of a session and those shared by all: found again, computed once for all waiting threads, dropped at a limit."""

import gc
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from weakref import ref

import pytest

from core.config.settings import Settings
from core.training.run.scheduler import compute, start
from pages.app.server import shared_cache
from pages.app.server.setup_lock import with_setup_lock
from pages.app.server.shared_cache import StillComputing, cached_for_all_sessions, drawn_later
from pages.app.session import session_cache
from pages.app.session.session import Session
from pages.app.session.session_cache import (
    IMMEDIATE,
    RefreshPolicy,
    abandon,
    cached_for_corpus,
    cached_for_run,
    cached_for_serial,
)
from tests.pages.app_session import LIMIT

SMALL = Settings(max_tokens=4000, hidden_size=4, batch_size=4, num_steps=4)
FOR_EVER = RefreshPolicy(0.0, 1e9)


@pytest.fixture
def session() -> Session:
    return Session(SMALL, [])


@pytest.fixture
def make() -> Callable[[], int]:
    """A function that returns the number of its calls."""
    return iter(range(1, 1000)).__next__


def test_a_result_is_found_again_until_the_run_has_moved_on(session, make):
    assert [cached_for_run(session, "a", make), cached_for_run(session, "a", make)] == [1, 1]
    session.run.step()
    assert cached_for_run(session, "a", make) == 2
    session.run.scale_to_radius(0.5)
    assert cached_for_run(session, "a", make) == 3
    session.start(SMALL.but(seed=1))
    assert cached_for_run(session, "a", make) == 4


def test_while_the_run_trains_a_result_may_be_old_but_not_of_another_choice(session, make, monkeypatch):
    monkeypatch.setattr(Session, "is_live", True)
    assert cached_for_run(session, "a", make, "x", refresh=FOR_EVER) == 1
    next(session.monitored)
    assert cached_for_run(session, "a", make, "x", refresh=FOR_EVER) == 1
    assert cached_for_run(session, "a", make, "y", refresh=IMMEDIATE) == 2
    next(session.monitored)
    assert cached_for_run(session, "a", make, "y", refresh=IMMEDIATE) == 3


def test_results_of_moments_are_remembered_up_to_a_number(session, make):
    assert [cached_for_serial(session, "a", serial, make) for serial in (1, 2, 1, 2)] == [1, 2, 1, 2]
    for serial in range(10, 10 + session_cache.MAX_ENTRIES):
        cached_for_serial(session, "a", serial, make)
    assert cached_for_serial(session, "a", 1, make) > 2
    assert len(session.cache) == session_cache.MAX_ENTRIES


@pytest.fixture
def slow(monkeypatch):
    """Scripts of a server, which wait for nothing, and a computation that takes until ``go_on`` is set."""
    monkeypatch.setattr(shared_cache, "serving", True)
    monkeypatch.setattr(shared_cache, "PATIENCE", 0.0)
    go_on, begun = threading.Event(), []

    def make() -> Iterator[None]:
        begun.append(1)
        number = len(begun)
        while not go_on.is_set():
            yield
        return number

    return SimpleNamespace(make=make, begun=begun, go_on=go_on)


def test_a_script_does_not_wait_for_a_result_that_takes_long_and_finds_it_later(session, slow):
    with drawn_later():
        for _again in range(3):
            with pytest.raises(StillComputing) as still:
                cached_for_run(session, "a", slow.make, "x")
        slow.go_on.set()
        assert still.value.job.wait(LIMIT)
        assert [cached_for_run(session, "a", slow.make, "x") for _again in range(2)] == [1, 1]
    assert len(slow.begun) == 1


def test_while_the_run_trains_the_last_result_is_shown_until_the_next_is_there(session, slow, monkeypatch):
    monkeypatch.setattr(Session, "is_live", True)
    assert cached_for_run(session, "a", lambda: "before", "x", refresh=IMMEDIATE) == "before"
    next(session.monitored)
    with drawn_later():
        assert cached_for_run(session, "a", slow.make, "x", refresh=IMMEDIATE) == "before"
        with pytest.raises(StillComputing):
            cached_for_run(session, "a", slow.make, "y", refresh=IMMEDIATE)
        next(session.monitored)
        with pytest.raises(StillComputing) as still:
            cached_for_run(session, "a", slow.make, "y", refresh=IMMEDIATE)
        slow.go_on.set()
        assert still.value.job.wait(LIMIT)
        asked = len(slow.begun)
        found = cached_for_run(session, "a", slow.make, "y", refresh=FOR_EVER)  # not begun anew at every update
        assert found == len(slow.begun) == asked
    monkeypatch.setattr(Session, "is_live", False)
    assert cached_for_run(session, "a", slow.make, "y") == asked + 1  # at rest, it is of the network that is shown


def test_what_nobody_draws_any_more_ends_with_the_tab(session, slow):
    with drawn_later(), pytest.raises(StillComputing) as still:
        cached_for_run(session, "a", slow.make, "x")
    ended = ref(still.value.job)
    del still
    abandon(session)
    gc.collect()
    assert ended() is None


def test_sessions_share_the_results_of_a_text_but_not_of_their_own(session, make):
    own, other = "abcdefgh " * 600, Session(SMALL, [])
    assert cached_for_corpus(session, "test_results", make) == cached_for_corpus(other, "test_results", make) == 1
    for each in (session, other):
        each.start(SMALL.but(corpus="own"), own)
    assert [cached_for_corpus(each, "test_results", make) for each in (session, session, other)] == [2, 2, 3]


def test_other_pages_compute_between_the_parts_of_a_long_result(session):
    other = []

    def parts():
        other.append(start(iter_once()))
        while not other[0].done:
            yield
        return other[0].result()

    def iter_once():
        yield
        return "meanwhile"

    assert cached_for_run(session, "long", parts) == "meanwhile"


def test_a_computation_that_asks_for_a_cached_result_is_refused(session):
    """The result could be one that another thread has begun, which waits for this computation to end."""
    with pytest.raises(RuntimeError, match="cannot wait"):
        compute(lambda: cached_for_corpus(session, "test_results_within", lambda: 1))
    assert cached_for_corpus(session, "test_results_within", lambda: 2) == 2


@pytest.mark.parametrize("fails", [False, True])
def test_one_thread_computes_for_all_who_wait_and_a_failure_is_not_kept(fails):
    began, go_on, tries = threading.Event(), threading.Event(), []

    @cached_for_all_sessions(max_entries=2)
    def found(fails: bool) -> list[int]:
        tries.append(1)
        began.set()
        assert go_on.wait(LIMIT)
        if fails and len(tries) == 1:
            raise ValueError("There is nothing to learn.")
        return tries

    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(found, fails)]
        assert began.wait(LIMIT)
        asked += [pool.submit(found, fails) for _ in range(3)]
        go_on.set()
    assert len(tries) == 1 or fails
    assert isinstance(asked[0].exception(), ValueError) == fails
    assert found(fails) is tries
    assert len(tries) == 1 + fails


def test_the_least_recently_used_results_are_dropped_over_the_number():
    made = []

    @cached_for_all_sessions(max_entries=2)
    def found(name: str) -> str:
        made.append(name)
        return name

    for name in ("a", "b", "a", "c", "a", "b"):
        found(name)
    assert made == ["a", "b", "c", "b"]


def test_others_compute_while_something_is_set_up():
    assert with_setup_lock(lambda: compute(lambda: "computed")) == "computed"


def test_a_shared_function_is_called_once_for_arguments_without_underscore():
    calls = []

    @cached_for_all_sessions(max_entries=2)
    def found(what: str, _how: object) -> list[str]:
        calls.append(what)
        return [what]

    assert found("a", object()) is found("a", object())
    assert found("b", None) == ["b"]
    assert calls == ["a", "b"]
