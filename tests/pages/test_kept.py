"""The shelf, by a clock that is told the time."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.ui.kept import Shelf, new_name

SECONDS, BUDGET = 600.0, 100


class Watched:
    """A shelf, the time, and what has left it without being taken."""

    def __init__(self):
        self.now, self.gone = 0.0, []
        self.shelf = Shelf(self.gone.append, seconds=SECONDS, budget=BUDGET, clock=lambda: self.now)


@pytest.fixture
def kept():
    return Watched()


def test_what_is_put_there_can_be_taken_once(kept):
    kept.shelf.put("a", "thing", 10)
    assert kept.shelf.take("b") is None
    assert kept.shelf.take("a") == "thing"
    assert kept.shelf.take("a") is None
    assert kept.gone == []


def test_it_is_kept_to_the_last_second_and_no_longer(kept):
    kept.shelf.put("a", "first", 10)
    kept.now = 1.0
    kept.shelf.put("b", "second", 10)
    kept.now = SECONDS
    assert kept.shelf.take("a") is None
    assert kept.gone == ["first"]
    assert kept.shelf.take("b") == "second"


def test_what_is_over_leaves_though_nobody_asks(kept):
    kept.shelf.put("a", "thing", 10)
    kept.now = SECONDS
    kept.shelf.tidy()
    assert not kept.shelf
    assert kept.gone == ["thing"]


def test_where_it_is_too_much_the_oldest_leave(kept):
    for name in "abc":
        kept.shelf.put(name, name, 40)
    assert kept.gone == ["a"]
    kept.shelf.put("b", "b again", 40)  # it is the newest now
    kept.shelf.put("d", "d", 40)
    assert kept.gone == ["a", "c"]
    assert [kept.shelf.take(name) for name in "abcd"] == [None, "b again", None, "d"]


def test_what_is_larger_than_all_of_the_budget_is_not_kept(kept):
    kept.shelf.put("a", "small", 10)
    kept.shelf.put("b", "large", BUDGET + 1)
    assert kept.gone == ["small", "large"]
    assert not kept.shelf


moves = st.lists(
    st.tuples(st.sampled_from(["put", "take", "wait"]), st.sampled_from("abcde"), st.integers(0, BUDGET // 2)), max_size=30
)


@given(moves)
def test_nothing_is_lost_given_twice_or_kept_beyond_budget_and_time(moves):
    kept, put, taken = Watched(), [], []
    for number, (what, name, size) in enumerate(moves):
        if what == "put" and name not in kept.shelf._kept:
            kept.shelf.put(name, number, size)
            put.append(number)
        elif what == "take":
            taken += [thing for thing in [kept.shelf.take(name)] if thing is not None]
        elif what == "wait":
            kept.now += 10.0 * size
    kept.shelf.tidy()
    there = list(kept.shelf._kept.values())
    assert sorted([*taken, *kept.gone, *(one.thing for one in there)]) == put
    assert sum(one.size for one in there) <= BUDGET
    assert all(kept.now < one.until for one in there)
    assert all(a.until <= b.until for a, b in pairwise(there))


def test_no_name_comes_twice_and_none_is_short():
    names = {new_name() for _ in range(1000)}
    assert len(names) == 1000
    assert min(map(len, names)) >= 43  # 256 bits, 6 a character
