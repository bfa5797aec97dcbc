"""Annotations checked at every call, and what has passed before is recognised: checking is most of the time of many a test.

Whether a call fits its annotations is decided by the types of its values, and of arrays by type, dtype and shape. So a call
like one that has passed passes; any other is checked in full, and so is every call that such a likeness cannot speak for:
where a list, a dict or another collection is handed over, or where an annotation asks for values (``Literal``, "{n}").
"""

import functools
import inspect
import threading
import types
from collections.abc import Callable, Collection
from typing import Any

import jaxtyping
import numpy as np

MODULES = [f"core.{stage}" for stage in ("text", "models", "training", "analysis", "lessons", "figures")]
# An int will do for a float (is_pep484_tower).
CHECKER = "beartype.beartype(conf=beartype.BeartypeConf(is_pep484_tower=True))"
ASKS_FOR_VALUES = ("Literal", "{")
Likeness = Any  # hashable


class Unlike(Exception):
    """Nothing but the value itself decides what it fits."""


def check_annotations() -> None:
    """From here on, what is imported of core checks its annotations at every call. Not core.settings: it has to answer wrong
    types itself.
    """
    jaxtyping.jaxtyped = _remembering(jaxtyping.jaxtyped)  # the hook puts it in front of every function
    jaxtyping.install_import_hook(MODULES, CHECKER)


def _remembering(jaxtyped: Callable) -> Callable:
    """``jaxtyped`` for functions and dataclasses, with a memory."""

    def checked(*, typechecker: Callable) -> Callable:
        full = jaxtyped(typechecker=typechecker)

        def decorate(of: Any) -> Any:
            if isinstance(of, types.FunctionType):
                return remember(of, full)
            if inspect.isclass(of) and "__init__" in vars(of) and not hasattr(of.__init__, "remembers"):
                bare, decorated = of.__init__, full(of)
                if of.__init__ is not bare:  # a dataclass
                    of.__init__ = bare
                    of.__init__ = remember(bare, full)
                return decorated
            return full(of)

        return decorate

    return checked


def remember(function: Callable, check: Callable[[Callable], Callable]) -> Callable:
    """``function`` checked by ``check``; of calls that are like one that has passed, nothing is checked again."""
    checked = check(function)
    if any(asks in str(inspect.signature(function)) for asks in ASKS_FOR_VALUES):
        return checked
    passed: set[Likeness] = set()
    returns = _returns(function, check)

    @functools.wraps(function)
    def recognising(*args: Any, **kwargs: Any) -> Any:
        try:
            call = likeness(args), tuple(kwargs), likeness(tuple(kwargs.values()))
        except Unlike:
            return checked(*args, **kwargs)
        if call not in passed:
            result = checked(*args, **kwargs)
            passed.add(call)
            return result
        result = function(*args, **kwargs)
        try:
            whole = call, likeness((result,))
        except Unlike:
            return returns(result, args, kwargs)
        if whole not in passed:
            returns(result, args, kwargs)
            passed.add(whole)
        return result

    recognising.remembers = True
    return recognising


def _returns(function: Callable, check: Callable[[Callable], Callable]) -> Callable[[Any, tuple, dict], Any]:
    """Checks what ``function`` has returned for these arguments, as ``check`` would have."""
    box = threading.local()

    def echo(*args: Any, **kwargs: Any) -> Any:
        return vars(box).pop("result")  # and is not held any longer

    placed = types.FunctionType(echo.__code__, function.__globals__, closure=echo.__closure__)
    checked = check(functools.wraps(function)(placed))

    def returns(result: Any, args: tuple, kwargs: dict) -> Any:
        box.result = result
        return checked(*args, **kwargs)

    return returns


def likeness(values: tuple) -> Likeness:
    """What decides which annotations these values fit; ``Unlike`` where it takes the values."""
    return tuple([HOW[type(value)](value) for value in values])


def _of_array(array: np.ndarray) -> Likeness:
    return type(array), array.dtype, array.shape


def _of_tuple(values: tuple) -> Likeness:
    return type(values), likeness(values)


def _of_itself(value: Any) -> Likeness:
    return value


def _unlike(_: Any) -> Likeness:
    raise Unlike


class How(dict):
    """How a value's likeness is told, by its type."""

    def __missing__(self, kind: type) -> Callable[[Any], Likeness]:
        if issubclass(kind, np.ndarray):
            how = _of_array
        elif issubclass(kind, tuple):
            how = _of_tuple
        elif issubclass(kind, type):
            how = _of_itself
        elif issubclass(kind, Collection) and not issubclass(kind, str | bytes | range):
            how = _unlike
        else:
            how = type
        self[kind] = how
        return how


HOW = How()
