"""A place on a page that is copied by hand is the place that Streamlit would copy."""

from copy import deepcopy

import pytest
from streamlit.cursor import Cursor, LockedCursor, RunningCursor
from streamlit.delta_generator import DeltaGenerator
from streamlit.proto.Element_pb2 import Element

from pages.ui.places import copy_places_by_hand

PATH = (2, 0, 5)


def running() -> Cursor:
    place = RunningCursor(1, PATH)
    place.lock_element()
    return place


def with_something_passing() -> Cursor:
    place = running().get_transient_cursor()
    place.transient_elements[0] = Element()
    place.transient_elements[0].html.body = "a spinner"
    return place


@pytest.fixture(params=[running, with_something_passing, lambda: LockedCursor(0, PATH, 3)])
def place(request, monkeypatch):
    for kind in (Cursor, DeltaGenerator):
        monkeypatch.setattr(kind, "__deepcopy__", None, raising=False)
    copy_places_by_hand()
    return request.param()


def told(place: Cursor) -> tuple:
    """All that there is to know of it."""
    passing = [(index, element.html.body) for index, element in place.transient_elements.items()]
    known = {name: value for name, value in vars(place).items() if name != "_transient_elements"}
    return type(place), place.delta_path, place.is_locked, place.transient_index, passing, known


def test_the_copy_is_at_the_same_place(place):
    assert told(deepcopy(place)) == told(place)


def test_the_copy_goes_its_own_way(place):
    before, copy = told(place), deepcopy(place)
    copy.transient_elements[1] = Element()
    if isinstance(copy, RunningCursor):
        copy.lock_element()
        assert copy.index == place.index + 1
    assert told(place) == before


def test_a_part_of_a_page_is_copied_with_all_around_it(place):
    around = DeltaGenerator(1, cursor=running(), block_type="vertical")
    inner = DeltaGenerator(place.root_container, cursor=place, parent=around, block_type="column")
    copy = deepcopy(inner)
    assert [told(one._cursor) for one in copy._ancestors] == [told(one._cursor) for one in inner._ancestors]
    assert not {id(one._cursor) for one in copy._ancestors} & {id(one._cursor) for one in inner._ancestors}


def test_what_is_copied_together_stands_in_the_same_surroundings(place):
    around = DeltaGenerator(1, cursor=running(), block_type="vertical")
    inner = DeltaGenerator(place.root_container, cursor=place, parent=around, block_type="column")
    outer, within = deepcopy((around, inner))
    assert within._parent is outer
    assert (outer._block_type, within._block_type) == ("vertical", "column")
    assert told(outer._cursor) == told(around._cursor)
    assert outer._cursor is not around._cursor
