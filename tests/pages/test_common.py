"""What is everybody's: found once, in no more memory than is allowed, and by one for all who wait."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core.training.turns import compute
from pages.ui.common import Common, Key
from pages.ui.turns import set_up, shared

LIMIT = 60.0
MEGABYTE = 2**20


class Found:
    """A result of so many bytes."""

    def __init__(self, size: int) -> None:
        self.numbers = np.zeros(size, np.uint8)


def test_what_was_used_last_stays_within_the_budget():
    common, makes = Common(budget=3 * MEGABYTE), []

    def ask(name: str, size: int) -> None:
        common.find(Key("kind", name), lambda: makes.append(name) or [np.zeros(size, np.uint8)], 99)

    for name in ("a", "b", "a", "c", "a"):
        ask(name, int(1.4 * MEGABYTE))
    assert makes == ["a", "b", "c"]
    assert common.bytes <= common.budget
    ask("b", int(1.4 * MEGABYTE))
    assert makes == ["a", "b", "c", "b"]
    ask("too large", 4 * MEGABYTE)
    assert common.bytes <= common.budget


def test_of_a_kind_so_many_are_kept_and_others_stay():
    common, makes = Common(), []
    for key in (Key("many", 0), *(Key("few", number) for number in range(4)), Key("many", 0), Key("few", 3), Key("few", 0)):
        common.find(key, lambda key=key: makes.append(key) or [key], 2 if key.kind == "few" else 99)
    assert [key for key in makes if makes.count(key) > 1] == [Key("few", 0)] * 2


def test_what_somebody_holds_is_found_again_though_there_was_no_room_for_it():
    common = Common(budget=MEGABYTE)
    held = common.find(Key("text", 1), lambda: Found(2 * MEGABYTE), 99)
    assert common.bytes == 0
    assert common.find(Key("text", 1), lambda: Found(2 * MEGABYTE), 99) is held


def test_what_a_result_is_made_of_is_not_counted_with_it():
    common, text = Common(), Found(MEGABYTE)
    common.find(Key("lines", 1), lambda: (text, "lines"), 99, [text])
    assert common.bytes < MEGABYTE // 2


def test_of_those_who_ask_at_once_one_makes_it():
    common, began, go_on, makes = Common(), threading.Event(), threading.Event(), []

    def make() -> list[int]:
        began.set()
        assert go_on.wait(LIMIT)
        makes.append(1)
        return makes

    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(common.find, Key("kind", 1), make, 99) for _ in range(4)]
        assert began.wait(LIMIT)
        go_on.set()
        assert {id(one.result(LIMIT)) for one in asked} == {id(makes)}
    assert makes == [1]


def test_who_waits_for_one_that_fails_tries_for_itself():
    common, began, go_on, tries = Common(), threading.Event(), threading.Event(), []

    def make() -> str:
        tries.append(1)
        began.set()
        assert go_on.wait(LIMIT)
        if len(tries) == 1:
            raise ValueError("There is nothing to learn.")
        return "found"

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(common.find, Key("kind", 1), make, 99)
        assert began.wait(LIMIT)
        second = pool.submit(common.find, Key("kind", 1), make, 99)
        go_on.set()
        with pytest.raises(ValueError, match="nothing to learn"):
            first.result(LIMIT)
        assert second.result(LIMIT) == "found"


def test_others_compute_while_something_is_set_up():
    computed = threading.Event()

    def other() -> None:
        with compute():
            computed.set()

    with compute():
        assert set_up(lambda: threading.Thread(target=other).start() or computed.wait(LIMIT))


def test_a_function_whose_result_is_everybodys_is_called_once_for_what_tells_results_apart():
    calls = []

    @shared(most=2)
    def found(what: str, _how: object) -> list[str]:
        calls.append(what)
        return [what]

    assert found("a", object()) is found("a", object())
    assert found("b", None) == ["b"]
    assert calls == ["a", "b"]
