"""Cached results of a session and those shared by all: found again, computed once for all waiting threads, dropped at a limit."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core.config.settings import Settings
from core.training.run.scheduler import compute, start
from pages.app.server.setup_lock import with_setup_lock
from pages.app.server.shared_cache import Key, SharedCache, cached_for_all_sessions
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
    assert cached_for_run(session, "a", make, "y", refresh=AT_ONCE) == 2
    next(session.monitored)
    assert cached_for_run(session, "a", make, "y", refresh=AT_ONCE) == 3


def test_results_of_moments_are_remembered_up_to_a_number(session, make):
    assert [cached_for_serial(session, "a", serial, make) for serial in (1, 2, 1, 2)] == [1, 2, 1, 2]
    for serial in range(10, 10 + session_cache.MAX_ENTRIES):
        cached_for_serial(session, "a", serial, make)
    assert cached_for_serial(session, "a", 1, make) > 2
    assert len(session.cache) == session_cache.MAX_ENTRIES


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


def test_a_computation_that_asks_for_a_cached_result_is_refused_and_does_not_wait_for_ever(session):
    """The result could be one that another thread has begun, which waits for this computation to end."""
    with pytest.raises(RuntimeError, match="cannot wait"):
        compute(lambda: cached_for_corpus(session, "test_results_within", lambda: 1))
    assert cached_for_corpus(session, "test_results_within", lambda: 2) == 2


MEGABYTE = 2**20


class Result:
    def __init__(self, size: int) -> None:  # bytes
        self.numbers = np.zeros(size, np.uint8)


def test_the_least_recently_used_results_are_dropped_over_the_limit():
    cache, made = SharedCache(budget=3 * MEGABYTE), []

    def ask(name: str, size: int) -> None:
        cache.find(Key("kind", name), lambda: made.append(name) or [np.zeros(size, np.uint8)], 99)

    for name in ("a", "b", "a", "c", "a"):
        ask(name, int(1.4 * MEGABYTE))
    assert made == ["a", "b", "c"]
    assert cache.bytes <= cache.budget
    ask("b", int(1.4 * MEGABYTE))
    assert made == ["a", "b", "c", "b"]
    ask("too large", 4 * MEGABYTE)
    assert cache.bytes <= cache.budget


def test_a_kind_of_result_has_its_own_limit_of_entries():
    cache, made = SharedCache(), []
    for key in (Key("many", 0), *(Key("few", number) for number in range(4)), Key("many", 0), Key("few", 3), Key("few", 0)):
        cache.find(key, lambda key=key: made.append(key) or [key], 2 if key.kind == "few" else 99)
    assert [key for key in made if made.count(key) > 1] == [Key("few", 0)] * 2


def test_a_result_in_use_is_found_again_though_it_exceeds_the_limit():
    cache = SharedCache(budget=MEGABYTE)
    held = cache.find(Key("text", 1), lambda: Result(2 * MEGABYTE), 99)
    assert cache.bytes == 0
    assert cache.find(Key("text", 1), lambda: Result(2 * MEGABYTE), 99) is held


def test_what_a_result_is_made_of_is_not_counted_with_it():
    cache, text = SharedCache(), Result(MEGABYTE)
    cache.find(Key("lines", 1), lambda: (text, "lines"), 99, [text])
    assert cache.bytes < MEGABYTE // 2


@pytest.mark.parametrize("fails", [False, True])
def test_one_thread_computes_for_all_who_wait_unless_it_fails(fails):
    began, go_on, tries = threading.Event(), threading.Event(), []

    def make() -> list[int]:
        tries.append(1)
        began.set()
        assert go_on.wait(LIMIT)
        if fails and len(tries) == 1:
            raise ValueError("There is nothing to learn.")
        return tries

    cache = SharedCache()
    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(cache.find, Key("kind", 1), make, 99)
        assert began.wait(LIMIT)
        others = [pool.submit(cache.find, Key("kind", 1), make, 99) for _ in range(1 if fails else 3)]
        go_on.set()
    assert isinstance(first.exception(), ValueError) == fails
    assert all(one.result() is tries for one in others)
    assert len(tries) == 1 + fails


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
