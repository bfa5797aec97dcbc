"""A hundred bits of the lag language: which of them repeat the one that they should."""

import math
from typing import TypedDict

import numpy as np
from jaxtyping import Integer

from core.config.language import gettext as _, sentences
from core.text.languages import NOISE, lag_floor
from pages.figures.parts.numbers import number, short
from pages.figures.parts.style import DRAWING_WIDTH

ROWS, IN_ROW = 5, 20
PITCH, HIGH = 44, 52  # px between bits and between rows
FIRST = 96  # px from the left edge to the first bit: an arc may come from the row before


class DrawnBit(TypedDict):
    """A bit, whether it repeats the one ``lag`` back, and the x of that one, which may be to the left of its row."""

    x: int
    y: int
    bit: str
    repeats: bool
    origin: int


class BitRows(TypedDict):
    """Bits in rows, and their count in words."""

    size: list[int]
    bits: list[DrawnBit]
    says: str
    label: str


def bit_rows(bits: Integer[np.ndarray, " L"], lag: int) -> BitRows:
    """The hundred bits after the first ``lag``; fewer of a shorter text. Those that do not repeat are counted: on average
    ``NOISE`` of them."""
    after, before = bits[lag : lag + ROWS * IN_ROW].tolist(), bits[: ROWS * IN_ROW].tolist()
    pairs = list(zip(after, before, strict=False))
    missed = sum(bit != repeated for bit, repeated in pairs)
    cost = -math.log(1 - NOISE), -math.log(NOISE)
    counted = _(
        "{sure} of {n} bits repeat the one {lag} back, at {cheap} nats each; {missed} do not, at {dear}.",
        sure=len(pairs) - missed,
        n=len(pairs),
        lag=lag,
        missed=missed,
        cheap=number(cost[0]),
        dear=number(cost[1]),
    )
    expected = _(
        "On average {expected} of {n} do not: exp(({rest} · {cheap} + {expected} · {dear}) / {n}) = {floor}.",
        expected=short(NOISE * len(pairs)),
        rest=short((1 - NOISE) * len(pairs)),
        n=len(pairs),
        cheap=number(cost[0]),
        dear=number(cost[1]),
        floor=number(lag_floor()),
    )
    return {
        "size": [DRAWING_WIDTH, ROWS * HIGH],
        "bits": [_bit(i, bit, lag, repeats=bit == repeated) for i, (bit, repeated) in enumerate(pairs)],
        "says": sentences(counted, expected),
        "label": counted,
    }


def _bit(i: int, bit: int, lag: int, *, repeats: bool) -> DrawnBit:
    row, column = divmod(i, IN_ROW)
    x = FIRST + PITCH * column
    return {"x": x, "y": HIGH * row + 36, "bit": str(bit), "repeats": repeats, "origin": x - PITCH * lag}
