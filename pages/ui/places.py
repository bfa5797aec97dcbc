"""Where a part of a page stands is copied by hand.

Streamlit keeps the place of every part (and of all around it) as it is before the part is drawn, to draw it there again. It
copies them with Python's general means, which look at each number and at each name; and what is around several of them once
for each: a twentieth of what a large page takes.
"""

from copy import deepcopy
from typing import Any, TypeVar

from streamlit.cursor import Cursor, SparseList
from streamlit.delta_generator import DeltaGenerator

Place = TypeVar("Place", bound=Cursor)


def copied(place: Place, memo: dict[int, Any]) -> Place:
    """A copy that goes its own way: what is in a place are numbers, tuples of them, and a list of what is shown for a moment."""
    copy = object.__new__(type(place))
    vars(copy).update(vars(place))
    passing = place._transient_elements
    copy._transient_elements = deepcopy(passing, memo) if passing else SparseList()
    return copy


def copied_part(part: DeltaGenerator, memo: dict[int, Any]) -> DeltaGenerator:
    """A copy of a part, which stands in a copy of what is around it: the same one for all that is copied together."""
    place, around = deepcopy(part._cursor, memo), deepcopy(part._parent, memo)
    copy = DeltaGenerator(part._root_container, cursor=place, parent=around, block_type=part._block_type)
    copy._form_data = deepcopy(part._form_data, memo)
    copy._creating_fragment_id = part._creating_fragment_id
    return copy


def copy_places_by_hand() -> None:
    """From now on. Once per process."""
    Cursor.__deepcopy__ = copied
    DeltaGenerator.__deepcopy__ = copied_part
