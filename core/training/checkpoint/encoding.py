"""What a checkpoint holds that is no array by itself, as arrays and back: texts, and the values of knobs."""

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from core.config.settings import KNOBS


def pack_texts(name: str, texts: Iterable[str]) -> dict[str, np.ndarray]:
    """Texts as their UTF-8 bytes, one after the other, and where each ends. Half characters, which UTF-8 has not, are kept."""
    pieces = [text.encode("utf-8", "surrogatepass") for text in texts]
    ends = np.cumsum([len(piece) for piece in pieces], dtype=np.int64)
    return {name: np.frombuffer(b"".join(pieces), np.uint8), f"{name}.ends": ends}


def texts_of(name: str, arrays: Mapping[str, np.ndarray]) -> list[str]:
    """The texts of :func:`pack_texts`, which end where the bytes do. ``ValueError`` where they are none."""
    whole, ends = arrays[name].tobytes(), arrays[f"{name}.ends"].tolist()
    return [whole[start:end].decode("utf-8", "surrogatepass") for start, end in pairwise([0, *ends])]


def number_of(value: Any) -> float:
    """The value of a live knob as a number; not a number for None."""
    return math.nan if value is None else float(value)


def value_of(name: str, number: float) -> Any:
    """The value of the live knob ``name`` that ``number_of`` made this number of. ``ValueError`` where there is none such."""
    knob = KNOBS[name]
    value = None if math.isnan(number) and knob.optional else knob.type(number) if math.isfinite(number) else number
    knob.check(value)
    if number_of(value) != number and value is not None:
        raise ValueError(f"{number} is no value of {knob.label}.")
    return value
