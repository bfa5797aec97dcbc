"""What is learnt and what is kept for the way back: shapes, and how many numbers they hold; and which tokens a batch reads."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Integer

from core.models.params import count, shapes_of
from core.text.corpus import Stream


@dataclass(frozen=True)
class Numbers:
    """How many numbers a network learns, by matrix, and how many it keeps for the way back, by T."""

    learnt: dict[str, tuple[int, ...]]  # name -> shape
    total: int
    kept: dict[int, int]  # T -> T N H states


def numbers(N: int, D: int, H: int, V: int, steps: tuple[int, ...] = (1, 10, 100)) -> Numbers:
    """What is learnt does not depend on T; the states kept for backpropagation do. D = 0 is a one-hot input."""
    return Numbers(shapes_of(V, H, D), count(V, H, D), {T: T * N * H for T in steps})


def first_window(stream: Stream, N: int, T: int, most: int) -> Integer[np.ndarray, "rows T"]:
    """The T tokens that the first ``most`` of N rows read first; rows begin L // N pairs apart, as in ``core.text.token_stream``.

    Where the text is shorter than N T pairs, rows overlap, and training would refuse it.
    """
    L = len(stream)
    return stream.inputs[(np.arange(min(N, most))[:, None] * (L // N) + np.arange(T)) % L]
