"""The cache of what all sessions share: computed once, within a limit of memory, and by one for all who wait."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core.training.run.fair_lock import compute_lock
from pages.app.server.compute_lock import with_setup_lock
from pages.app.server.shared_cache import Key, SharedCache, shared
from tests.pages.app_session import LIMIT

MEGABYTE = 2**20


class Result:
    """A result of so many bytes."""

    def __init__(self, size: int) -> None:
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

    def other() -> None:
        with compute_lock:
            computed.set()

    with compute_lock:
        assert with_setup_lock(lambda: threading.Thread(target=other).start() or computed.wait(LIMIT))


def test_a_shared_function_is_called_once_for_arguments_without_underscore():
    calls = []

    @shared(most=2)
    def found(what: str, _how: object) -> list[str]:
        calls.append(what)
        return [what]

    assert found("a", object()) is found("a", object())
    assert found("b", None) == ["b"]
    assert calls == ["a", "b"]
