"""Never more inside than may be; who came first is let in first; who is gone takes no place."""

from hypothesis import given
from hypothesis import strategies as st

from pages.ui.door import Door, Place
from pages.ui.full import words


@given(st.integers(1, 4), st.lists(st.tuples(st.booleans(), st.integers(0, 9)), max_size=60))
def test_whoever_comes_and_goes(most, moves):
    door, there, came = Door(most), [Place() for _ in range(10)], []
    for asks, i in moves:
        who = there[i]
        if asks and not who.gone:
            came += [who] if who not in came else []
            assert (door.ask(who) == 0) == (came.index(who) < most)
        else:
            who.gone = True
            door.leave(who)
            came = [one for one in came if one is not who]
            there[i] = Place()
        assert door.inside <= most
        assert door.inside + door.waiting == len(came)


def test_who_waits_is_let_in_in_the_order_of_coming():
    door, (inside, first, second) = Door(1), (Place(), Place(), Place())
    assert [door.ask(who) for who in (inside, first, second)] == [0, 1, 2]
    door.leave(inside)
    assert [door.ask(who) for who in (second, first, second)] == [2, 0, 1]


def test_who_is_gone_is_neither_inside_nor_in_the_line():
    door, late = Door(1), Place()
    late.gone = True
    door.leave(late)
    assert door.ask(late) == 0  # its script ends by itself
    assert (door.inside, door.waiting) == (0, 0)


def test_without_room_nobody_is_let_in_beside_the_first():
    door, (first, second) = Door(5, lambda: False), (Place(), Place())
    assert (door.ask(first), door.ask(second)) == (0, 1)
    door.leave(first)
    assert door.ask(second) == 0


def test_the_words_say_how_many_places_there_are_and_who_is_next():
    door = Door(2)
    there = [Place() for _ in range(4)]
    places = [door.ask(who) for who in there]
    assert "2 places" in words(door, places[2])[0]
    assert "next" in words(door, places[2])[1]
    assert "2 in the line" in words(door, places[3])[1]
    door.leave(there[0])
    assert "memory" in words(door, 1)[0]
