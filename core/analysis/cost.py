"""Time and memory of the forward and the backward pass over a window of T steps: both are linear in T.

Measured with the code that trains. The backward pass goes through every step of the forward pass and needs all of its states:
that is the cost of backpropagation through time (D2L 8.7.1; Deep Learning from Scratch 2, 5.2.3).
"""

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Int

from core.models.params import Params
from core.models.rnn import Workspace, backward, forward

LENGTHS = (1, 5, 10, 20, 40, 60, 80, 100)  # T
REPEATS = 15
MOST_WORK = 400_000_000  # multiplications of one forward pass at the longest T: more would hold the compute lock too long


class Cost(NamedTuple):
    """One measurement of a window of T steps, or the median of several: seconds, and bytes that each pass stores."""

    T: int
    forward: float
    backward: float
    forward_bytes: float
    backward_bytes: float


class Line(NamedTuple):
    """A straight line through costs: ``start + per_step * T``."""

    per_step: float
    start: float

    def at(self, T: int) -> float:
        """The cost of a window of T steps according to the line."""
        return self.start + self.per_step * T


class Lines(NamedTuple):
    """The straight line through each column of several :class:`Cost`: two in seconds, two in bytes."""

    forward: Line
    backward: Line
    forward_bytes: Line
    backward_bytes: Line


def lengths_for(params: Params, N: int, lengths: Sequence[int] = LENGTHS) -> tuple[int, ...]:
    """The ``lengths`` whose forward pass takes at most ``MOST_WORK`` multiplications; at least the first two."""
    per_step = N * params.hidden_size * (params.hidden_size + params.vocab_size)
    return tuple(T for i, T in enumerate(lengths) if i < 2 or T * per_step <= MOST_WORK)


def measure(
    params: Params, N: int, lengths: Sequence[int] = LENGTHS, *, activation: str = "tanh", repeats: int = REPEATS
) -> Iterator[Cost]:
    """The costs of random windows of N rows: all ``lengths`` in turn, ``repeats`` times, so that a busy moment affects all alike.

    An iterator, one window at a time, so that a caller can release the compute lock. Each window is run twice and the second
    run is measured: in training, too, the arrays have just been used.
    """
    rng = np.random.default_rng(0)
    for _ in range(repeats):
        for T in lengths:
            yield _one(params, rng.integers(0, params.vocab_size, (2, T, N)), activation)


def _one(params: Params, window: Int[np.ndarray, "2 T N"], activation: str) -> Cost:
    workspace = Workspace()
    for _ in range(2):
        began = time.perf_counter()
        trace = forward(params, window[0], activation=activation, workspace=workspace)
        turned = time.perf_counter()
        gradients = backward(trace, window[1], workspace=workspace)
        ended = time.perf_counter()
    of_states = gradients.dh[1:].nbytes  # as many as da and slope have
    kept = [_bytes(trace.tokens, trace.h, trace.logits), _bytes(gradients.dlogits) + 3 * of_states]
    return Cost(len(trace.tokens), turned - began, ended - turned, *kept)


def _bytes(*arrays: np.ndarray) -> int:
    return sum(array.nbytes for array in arrays)


def summarise(samples: Iterable[Cost]) -> list[Cost]:
    """The median cost of every length, shortest length first."""
    by_length: dict[int, list[Cost]] = {}
    for sample in samples:
        by_length.setdefault(sample.T, []).append(sample)
    return [Cost(T, *np.median(group, axis=0)[1:].tolist()) for T, group in sorted(by_length.items())]


class BlockCost(NamedTuple):
    """The cost of a text in blocks of ``tau`` steps: the number of ``updates``, the most steps back that a loss ``reaches``, the
    ``bytes`` that the forward pass of a block stores for the backward pass, and the ``seconds`` for the whole text."""

    tau: int
    updates: int
    reaches: int
    bytes: float
    seconds: float


def in_blocks(lines: Lines, T: int, tau: int) -> BlockCost:
    """The cost of a text of T steps in blocks of ``tau`` (T: one window), estimated from the measured ``lines``.

    On a busy machine a line may start below 0 s; the fixed cost of an update is then taken as 0.
    """
    updates = math.ceil(T / tau)
    start = max(lines.forward.start + lines.backward.start, 0.0)
    seconds = updates * start + T * (lines.forward.per_step + lines.backward.per_step)
    return BlockCost(tau, updates, tau - 1, lines.forward_bytes.at(tau), seconds)


def straight_lines(costs: Sequence[Cost]) -> Lines:
    """The least-squares line through each column of ``costs``; ``ValueError`` for fewer than two lengths."""
    if len(costs) < 2:
        raise ValueError("A line needs two points at least.")
    lengths, *columns = zip(*costs, strict=True)
    return Lines(*(Line(*np.polyfit(lengths, column, 1).tolist()) for column in columns))
