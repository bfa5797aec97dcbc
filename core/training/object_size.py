"""How much memory something holds that is there already."""

import gc
import sys
from collections.abc import Iterable
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

PROGRAM = (type, ModuleType, FunctionType, BuiltinFunctionType, CodeType)  # everybody's: whatever is reached through them, too


def held_bytes(thing: Any, shared: Iterable[Any] = ()) -> int:
    """Bytes of ``thing`` and of all that it refers to, each counted once; without what ``shared`` holds as well.

    Numbers and strings that Python keeps anyway are counted too, so it is a little more than would come free.
    """
    seen: set[int] = set()
    _bytes_of(shared, seen)
    return _bytes_of([thing], seen)


def _bytes_of(things: Iterable[Any], seen: set[int]) -> int:
    """Bytes of what has not been ``seen``, which is then."""
    held, ahead = 0, list(things)
    while ahead:
        one = _owner(ahead.pop())
        if id(one) in seen or isinstance(one, PROGRAM):
            continue
        seen.add(id(one))
        held += sys.getsizeof(one)
        ahead += gc.get_referents(one)
    return held


def _owner(thing: Any) -> Any:
    """Of a view of an array, whatever has the memory."""
    while isinstance(thing, np.ndarray) and thing.base is not None:
        thing = thing.base
    return thing
