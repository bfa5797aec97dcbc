"""Cached results of a session and those shared by all: found again, computed once for all waiting threads, dropped at a limit."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core.config.settings import Settings
from core.training.run.fair_lock import compute_lock
from pages.app.server.compute_lock import iterate_with_compute_lock, with_compute_lock, with_setup_lock
from pages.app.server.shared_cache import Key, SharedCache, cached_for_all_sessions
from pages.app.session import session_cache, shown_run
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


def set_with_lock(computed: threading.Event) -> None:
    with compute_lock:
        computed.set()


def test_other_threads_compute_between_the_parts_of_a_long_result(session):
    computed = threading.Event()

    def parts():
        thread.start()
        assert not computed.is_set()
        while not computed.is_set():
            yield

    thread = threading.Thread(target=set_with_lock, args=(computed,))
    cached_for_run(session, "long", lambda: list(iterate_with_compute_lock(parts())))
    thread.join(LIMIT)
    assert computed.is_set()


def test_two_threads_that_ask_for_the_same_result_do_not_deadlock(session):
    """One thread holds the compute lock when it requests the result, the other computes the result in parts."""
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


def test_a_dormant_run_is_recreated_without_the_compute_lock(session, monkeypatch):
    """Else two scripts of a session could wait for each other: one has this lock, the other recreates the run."""
    computed, create = threading.Event(), shown_run.create_trainer

    def create_late(*given):
        threading.Thread(target=set_with_lock, args=(computed,), daemon=True).start()
        assert computed.wait(LIMIT)
        return create(*given)

    monkeypatch.setattr(shown_run, "create_trainer", create_late)
    session.lazy_run.make_dormant()
    assert with_compute_lock(lambda: session.monitored.is_initial)


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
    computed = threading.Event()
    with compute_lock:
        assert with_setup_lock(lambda: threading.Thread(target=set_with_lock, args=(computed,)).start() or computed.wait(LIMIT))


def test_a_shared_function_is_called_once_for_arguments_without_underscore():
    calls = []

    @cached_for_all_sessions(max_entries=2)
    def found(what: str, _how: object) -> list[str]:
        calls.append(what)
        return [what]

    assert found("a", object()) is found("a", object())
    assert found("b", None) == ["b"]
    assert calls == ["a", "b"]
