"""What a session remembers of what it has computed: when it is found again, when anew, and for whom."""

import threading

import pytest

from core.settings import Settings
from core.text.corpus import load_corpus
from core.training.live_run import compute
from core.training.tbptt import Trainer
from core.training.watched import Watched
from pages.ui import results
from pages.ui.results import AT_ONCE, Pace, of_run, of_serial, of_text
from pages.ui.stage import Stage
from pages.ui.turns import in_turn, in_turns

LIMIT = 60.0
SMALL = Settings(max_tokens=4000, hidden_size=4, batch_size=4, num_steps=4)
FOR_EVER = Pace(0.0, 1e9)


@pytest.fixture
def here():
    return Stage(SMALL, [])


def counting():
    """A function that says how often it was called."""
    calls = iter(range(1, 1000))
    return lambda: next(calls)


def test_a_result_of_the_run_is_found_once_until_the_run_has_moved_on(here):
    make = counting()
    assert [of_run(here, "a", make), of_run(here, "a", make)] == [1, 1]
    here.run.step()
    assert of_run(here, "a", make) == 2
    here.run.scale_to_radius(0.5)
    assert of_run(here, "a", make) == 3


def test_while_the_run_trains_a_result_may_be_old_but_not_for_another_choice(here, monkeypatch):
    make = counting()
    monkeypatch.setattr(Stage, "moving", True)
    assert of_run(here, "a", make, "x", pace=FOR_EVER) == 1
    next(here.watched)
    assert of_run(here, "a", make, "x", pace=FOR_EVER) == 1
    assert of_run(here, "a", make, "y", pace=AT_ONCE) == 2
    next(here.watched)
    assert of_run(here, "a", make, "y", pace=AT_ONCE) == 3


def test_another_run_has_results_of_its_own(here):
    make = counting()
    of_run(here, "a", make)
    here.start(SMALL.but(seed=1))
    assert of_run(here, "a", make) == 2


def test_moments_are_remembered_side_by_side_and_not_for_ever(here):
    make = counting()
    assert [of_serial(here, "a", serial, make) for serial in (1, 2, 1, 2)] == [1, 2, 1, 2]
    for serial in range(10, 10 + results.MOST):
        of_serial(here, "a", serial, make)
    assert of_serial(here, "a", 1, make) > 2
    assert len(here.found) == results.MOST


def test_a_text_is_counted_once_for_all_and_one_s_own_for_oneself():
    own = "abcdefgh " * 600
    first, second = Stage(SMALL, []), Stage(SMALL, [])
    make = counting()
    assert of_text(first, "test_results", make) == of_text(second, "test_results", make) == 1
    for each in (first, second):
        each.start(SMALL.but(corpus="own"), own)
    assert [of_text(each, "test_results", make) for each in (first, first, second)] == [2, 2, 3]


def test_others_compute_between_the_parts_of_something_long(here):
    """Even where all of it is one result."""
    order, waiting = [], threading.Event()

    def other():
        waiting.set()
        with compute():
            order.append("other")

    def parts():
        order.append("first")
        thread.start()
        waiting.wait(LIMIT)
        yield
        while "other" not in order:
            yield
        order.append("last")

    thread = threading.Thread(target=other)
    of_run(here, "long", lambda: list(in_turns(parts())))
    thread.join(LIMIT)
    assert order == ["first", "other", "last"]


def test_a_result_may_be_made_of_others(here):
    assert of_run(here, "a", lambda: of_text(here, "test_results_within", lambda: in_turn(lambda: 3)) + 1) == 4


def test_two_readers_who_ask_for_the_same_wait_for_each_other_and_not_for_ever(here):
    """One holds the right to compute when it asks, the other finds the result in parts."""
    began, thread = threading.Event(), None
    other = Stage(SMALL, [])

    def parts():
        began.set()
        yield from range(200)

    def find(stage):
        return of_text(stage, "test_results_waiting", lambda: len(list(in_turns(parts()))))

    thread = threading.Thread(target=find, args=(here,), daemon=True)
    with compute():
        thread.start()
        found = in_turn(lambda: began.wait(0.0) or find(other))
    thread.join(LIMIT)
    assert not thread.is_alive()
    assert found == 200


def test_the_numbers_of_runs_never_come_back(here):
    serials = []
    for _ in range(5):
        watched = Watched(Trainer(SMALL, here.corpus), load_corpus(SMALL))
        serials.append(watched.serial)
        assert watched.ghost().serial == watched.serial
    assert len(set(serials)) == 5
