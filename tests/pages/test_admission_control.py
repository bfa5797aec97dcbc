"""Never more sessions are admitted than may be, in the order in which they came; one that has ended takes no slot."""

from hypothesis import given, strategies as st

from pages.app.connection.admission_control import AdmissionController, Slot, sentences


@given(st.integers(1, 4), st.lists(st.tuples(st.booleans(), st.integers(0, 9)), max_size=60))
def test_no_more_than_the_limit_are_admitted_and_in_their_order(most, moves):
    controller, slots, came = AdmissionController(most), [Slot() for _ in range(10)], []
    for asks, i in moves:
        slot = slots[i]
        if asks and not slot.gone:
            came += [slot] if slot not in came else []
            assert (controller.request_slot(slot) == 0) == (came.index(slot) < most)
        else:
            slot.gone = True
            controller.release_slot(slot)
            came = [one for one in came if one is not slot]
            slots[i] = Slot()
        assert controller.admitted <= most
        assert controller.admitted + controller.waiting == len(came)


def test_the_first_in_the_queue_is_admitted_first():
    controller, (admitted, first, second) = AdmissionController(1), (Slot(), Slot(), Slot())
    assert [controller.request_slot(slot) for slot in (admitted, first, second)] == [0, 1, 2]
    controller.release_slot(admitted)
    assert [controller.request_slot(slot) for slot in (second, first, second)] == [2, 0, 1]


def test_a_slot_that_has_ended_is_neither_admitted_nor_queued():
    controller, late = AdmissionController(1), Slot()
    late.gone = True
    controller.release_slot(late)
    assert controller.request_slot(late) == 0  # its script ends by itself
    assert (controller.admitted, controller.waiting) == (0, 0)


def test_without_free_memory_only_one_session_is_admitted():
    controller, (first, second) = AdmissionController(5, lambda: False), (Slot(), Slot())
    assert (controller.request_slot(first), controller.request_slot(second)) == (0, 1)
    assert sentences(controller, 1)
    controller.release_slot(first)
    assert controller.request_slot(second) == 0
