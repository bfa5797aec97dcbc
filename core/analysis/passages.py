"""Which passage of a text is shown: the most varied of a few, since a passage of dashes or blanks shows nothing."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Integer

from core.text.streams import Purpose, generator


def most_varied(tokens: Integer[np.ndarray, " L"], starts: Sequence[int], length: int) -> int:
    """That one of ``starts`` from which ``length`` tokens hold the most different ones; the first of equals."""
    return max(starts, key=lambda start: len(np.unique(tokens[start : start + length])))


def drawn_passage(tokens: Integer[np.ndarray, " L"], length: int, draw: int, among: int) -> Integer[np.ndarray, " P"]:
    """The most varied of ``among`` passages of a text, drawn at random by ``draw``; all of a text that is shorter."""
    length = min(length, len(tokens))
    starts = generator(draw, Purpose.DISPLAY).integers(len(tokens) - length + 1, size=among).tolist()
    start = most_varied(tokens, starts, length)
    return tokens[start : start + length]
