"""A call like one that has passed is let through, and nothing else is: whatever may be wrong afterwards is still found."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import beartype
import numpy as np
import pytest
from jaxtyping import Float, TypeCheckError, jaxtyped

import core.models.loss
from tests.annotations import remember

CHECK = jaxtyped(typechecker=beartype.beartype)


class Pair(NamedTuple):
    left: Any
    right: Any


def product(a: Float[np.ndarray, "M K"], b: Float[np.ndarray, "K N"]) -> Float[np.ndarray, "M N"]:
    return a @ b


def scaled(row: Float[np.ndarray, " K"], by: float, *, back: Any = None) -> Float[np.ndarray, " K"]:
    return row * by if back is None else back


def ones(length: int) -> Float[np.ndarray, " {length}"]:
    return np.ones(3)


def one_of(name: Literal["char", "word"]) -> str:
    return name


def counted(counts: list[int]) -> int:
    return len(counts)


def shape(sides: tuple[int, int]) -> int:
    return sides[0] * sides[1]


def said(what: Any) -> str:
    return what


def every(what: Any) -> list[int]:
    return what


def upwards(start: int) -> Iterator[int]:
    yield from range(start, start + 3)


@dataclass(frozen=True)
class Point:
    place: Float[np.ndarray, " D"]
    name: str = ""


def zeros(*shape: int, dtype: Any = np.float64) -> np.ndarray:
    return np.zeros(shape, dtype)


@pytest.mark.parametrize(
    ("function", "right", "wrong"),
    [
        (product, (zeros(2, 3), zeros(3, 4)), (zeros(2, 3), zeros(4, 3))),
        (product, (zeros(2, 3), zeros(3, 4)), (zeros(2, 3, dtype=np.int32), zeros(3, 4))),
        (product, (zeros(2, 3), zeros(3, 4)), (zeros(2, 3), zeros(3))),
        (scaled, (zeros(3), 2), (zeros(3), "2")),
        (scaled, (zeros(3), 2.0), (zeros(3), None)),
        (ones, (3,), (4,)),
        (one_of, ("char",), ("byte",)),
        (counted, ([1, 2],), (["a", "b"],)),
        (shape, ((1, 2),), ((1, "2"),)),
        (shape, ((1, 2),), ((1, 2, 3),)),
        (shape, (Pair(1, 2),), (Pair(1, 2.5),)),
        (said, ("a",), (1,)),
        (said, ("a",), ([1],)),
        (every, ([1],), (["a"],)),
        (every, ([1],), ("a",)),
    ],
)
def test_what_is_wrong_is_found_before_and_after_a_call_that_passes(function, right, wrong):
    checked = remember(function, jaxtyped(typechecker=beartype.beartype(conf=beartype.BeartypeConf(is_pep484_tower=True))))
    for _ in range(3):
        with pytest.raises(TypeCheckError):
            checked(*wrong)
        np.testing.assert_equal(checked(*right), function(*right))


def test_a_result_is_checked_after_arguments_that_have_passed():
    checked = remember(scaled, CHECK)
    for back in (None, zeros(3), zeros(3)):
        assert checked(zeros(3), 2.0, back=back).shape == (3,)
    for back in (zeros(4), zeros(3, dtype=np.int32), zeros(3, 1)):
        with pytest.raises(TypeCheckError):
            checked(zeros(3), 2.0, back=back)


def test_a_function_runs_once_for_every_call_and_what_it_raises_is_its_own():
    calls = []

    def note(value: Any) -> Any:
        calls.append(value)
        if value == "stop":
            raise KeyError(value)
        return value

    checked = remember(note, CHECK)
    for value in (1, 1, "a", "a", [1], [1], (1,), (1,)):
        assert checked(value) == value
    for _ in range(2):
        with pytest.raises(KeyError):
            checked("stop")
    assert calls == [1, 1, "a", "a", [1], [1], (1,), (1,), "stop", "stop"]


def test_a_keyword_is_told_from_a_position_and_from_another_keyword():
    def both(a: Any = 0, *, b: int = 0, c: str = "") -> None: ...

    checked = remember(both, CHECK)
    checked(b=1)
    checked(c="1")
    for wrong in ({"b": "1"}, {"c": 1}):
        with pytest.raises(TypeCheckError):
            checked(**wrong)


def test_the_fields_of_a_dataclass_are_checked():
    @CHECK
    @dataclass(frozen=True)
    class Full:
        place: Float[np.ndarray, " D"]

    Point.__init__, bare = remember(Point.__init__, CHECK), Point.__init__
    try:
        for _ in range(3):
            assert Point(zeros(2)).name == Full(zeros(2)).place.ndim * ""
            for wrong in ((zeros(2, 2),), (zeros(2, dtype=np.int32),), (zeros(2), 1)):
                with pytest.raises(TypeCheckError):
                    Point(*wrong)
    finally:
        Point.__init__ = bare


def test_the_name_and_the_words_of_a_function_are_kept():
    assert remember(product, CHECK).__name__ == "product"


def test_a_generator_goes_on_being_one():
    checked = remember(upwards, CHECK)
    assert [list(checked(start)) for start in (1, 2)] == [[1, 2, 3], [2, 3, 4]]
    with pytest.raises(TypeCheckError):
        checked("1")


def test_what_is_imported_of_core_is_checked_and_remembered():
    softmax = core.models.loss.softmax
    assert isinstance(softmax, Callable)
    for _ in range(2):
        softmax(np.zeros((2, 3)))
        with pytest.raises(TypeCheckError):
            softmax(np.zeros((2, 3), dtype=np.int32))
    assert softmax.remembers
