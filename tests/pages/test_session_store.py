"""Sessions of closed tabs are stored for a time, within a limit of memory, and returned once."""

from itertools import pairwise

from hypothesis import given, strategies as st

from pages.app.connection.session_store import TTLStore
from pages.app.connection.tab_identity import Tab

SECONDS, BUDGET = 600.0, 100


class Clocked:
    """A store, its clock's time, and the sessions dropped from it."""

    def __init__(self) -> None:
        self.now, self.dropped = 0.0, []
        self.store = TTLStore(self.dropped.append, seconds=SECONDS, budget=BUDGET, clock=lambda: self.now)


def test_entries_expire_after_exactly_their_lifetime():
    kept = Clocked()
    kept.store.store("a", "first", 10)
    kept.now = 1.0
    kept.store.store("b", "second", 10)
    kept.now = SECONDS
    assert kept.store.pop("a") is None
    assert kept.dropped == ["first"]
    assert [kept.store.pop("b"), kept.store.pop("b")] == ["second", None]
    kept.store.store("c", "third", 10)
    kept.now += SECONDS
    kept.store.evict_expired()  # without a call of pop
    assert not kept.store
    assert kept.dropped == ["first", "third"]


def test_over_the_limit_the_oldest_are_dropped():
    kept = Clocked()
    for name in "abc":
        kept.store.store(name, name, 40)
    assert kept.dropped == ["a"]
    kept.store.store("b", "b again", 40)  # it is the newest now
    kept.store.store("d", "d", 40)
    assert kept.dropped == ["a", "c"]
    assert [kept.store.pop(name) for name in "abcd"] == [None, "b again", None, "d"]
    kept.store.store("e", "small", 10)
    kept.store.store("f", "large", BUDGET + 1)
    assert kept.dropped[2:] == ["small", "large"]
    assert not kept.store


def test_a_size_that_is_known_later_counts_from_then_on():
    kept = Clocked()
    for name in "ab":
        kept.store.store(name, name)
    kept.store.resize("a", BUDGET)
    assert kept.dropped == []
    kept.store.resize("b", 1)
    assert kept.dropped == ["a"]
    kept.store.resize("a", 1)
    assert [kept.store.pop(name) for name in "ab"] == [None, "b"]


MOVE = st.tuples(st.sampled_from(["put", "take", "wait"]), st.sampled_from("abcde"), st.integers(0, BUDGET // 2))


@given(st.lists(MOVE, max_size=30))
def test_nothing_is_lost_given_twice_or_stored_beyond_limit_and_time(moves):
    kept, put, taken = Clocked(), [], []
    for number, (what, name, size) in enumerate(moves):
        if what == "put" and name not in kept.store._entries:
            kept.store.store(name, number, size)
            put.append(number)
        elif what == "take":
            taken += [thing for thing in [kept.store.pop(name)] if thing is not None]
        elif what == "wait":
            kept.now += 10.0 * size
    kept.store.evict_expired()
    there = list(kept.store._entries.values())
    assert sorted([*taken, *kept.dropped, *(one.thing for one in there)]) == put
    assert sum(one.size for one in there) <= BUDGET
    assert all(kept.now < one.expires for one in there)
    assert all(a.expires <= b.expires for a, b in pairwise(there))


def test_names_are_unique_and_cannot_be_guessed():
    names = {Tab().name for _ in range(1000)}
    assert len(names) == 1000
    assert min(map(len, names)) >= 43  # 256 bits, 6 per character
