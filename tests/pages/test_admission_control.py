"""Never more sessions are admitted than may be; the first in the queue is admitted first; one that has ended takes no slot."""

from hypothesis import given
from hypothesis import strategies as st

from pages.ui.admission_control import AdmissionController, Slot, sentences


@given(st.integers(1, 4), st.lists(st.tuples(st.booleans(), st.integers(0, 9)), max_size=60))
def test_whoever_comes_and_goes(most, moves):
    controller, there, came = AdmissionController(most), [Slot() for _ in range(10)], []
    for asks, i in moves:
        who = there[i]
        if asks and not who.gone:
            came += [who] if who not in came else []
            assert (controller.request_slot(who) == 0) == (came.index(who) < most)
        else:
            who.gone = True
            controller.release_slot(who)
            came = [one for one in came if one is not who]
            there[i] = Slot()
        assert controller.admitted <= most
        assert controller.admitted + controller.waiting == len(came)


def test_who_waits_is_let_in_in_the_order_of_coming():
    controller, (inside, first, second) = AdmissionController(1), (Slot(), Slot(), Slot())
    assert [controller.request_slot(who) for who in (inside, first, second)] == [0, 1, 2]
    controller.release_slot(inside)
    assert [controller.request_slot(who) for who in (second, first, second)] == [2, 0, 1]


def test_who_is_gone_is_neither_inside_nor_in_the_line():
    controller, late = AdmissionController(1), Slot()
    late.gone = True
    controller.release_slot(late)
    assert controller.request_slot(late) == 0  # its script ends by itself
    assert (controller.admitted, controller.waiting) == (0, 0)


def test_without_room_nobody_is_let_in_beside_the_first():
    controller, (first, second) = AdmissionController(5, lambda: False), (Slot(), Slot())
    assert (controller.request_slot(first), controller.request_slot(second)) == (0, 1)
    controller.release_slot(first)
    assert controller.request_slot(second) == 0


def test_the_words_say_how_many_places_there_are_and_who_is_next():
    controller = AdmissionController(2)
    there = [Slot() for _ in range(4)]
    places = [controller.request_slot(who) for who in there]
    assert "2 places" in sentences(controller, places[2])[0]
    assert "next" in sentences(controller, places[2])[1]
    assert "2 in the line" in sentences(controller, places[3])[1]
    controller.release_slot(there[0])
    assert "memory" in sentences(controller, 1)[0]
