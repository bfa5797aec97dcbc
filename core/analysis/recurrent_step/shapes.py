"""What is learnt and what is kept for the way back: shapes, and how many numbers they hold."""

from dataclasses import dataclass

from core.models.params import count, shapes_of


@dataclass(frozen=True)
class Numbers:
    """How many numbers a network learns, by matrix, and how many it keeps for the way back, by T."""

    learnt: dict[str, tuple[int, ...]]  # name -> shape
    total: int
    kept: dict[int, int]  # T -> T N H states


def numbers(N: int, D: int, H: int, V: int, steps: tuple[int, ...] = (1, 10, 100)) -> Numbers:
    """What is learnt does not depend on T; the states kept for backpropagation do. D = 0 is a one-hot input."""
    return Numbers(shapes_of(V, H, D), count(V, H, D), {T: T * N * H for T in steps})
