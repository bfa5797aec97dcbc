"""Gradient descent on a task of ``bit_tasks``, from weights that were set by hand, on the mean over all strings.

The forward and backward pass and the optimiser are those of training; nothing is drawn at random, as every update reads all
strings of the task.
"""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.training.experiments.bit_tasks import LARGEST_WEIGHT, BitTask, loss_and_gradient, network
from core.training.optimizers import Adam

BIT_RATE, BIT_UPDATES = 0.05, 400
EVERY = 10  # updates between two turns of other computations


@dataclass(frozen=True, eq=False)
class BitDescent:
    """The weights and the perplexity before the first update and after each update: a point for each."""

    weights: Float[np.ndarray, "points P"]
    perplexities: Float[np.ndarray, " points"]


def descend(start: tuple[float, ...], task: BitTask, updates: int = BIT_UPDATES) -> Generator[float, None, BitDescent]:
    """Adam from these weights, in the order of ``Params.flat``; each stays within ``LARGEST_WEIGHT`` of 0.

    A generator for the scheduler: it yields its progress.
    """
    params = network(np.array(start))
    optimizer = Adam(len(start), np.float64)
    weights, losses = [], []
    for update in range(updates + 1):
        loss, gradient = loss_and_gradient(params, task)
        weights.append(params.flat.copy())
        losses.append(loss)
        optimizer.step(params.flat, gradient, BIT_RATE)
        np.clip(params.flat, -LARGEST_WEIGHT, LARGEST_WEIGHT, out=params.flat)
        if update % EVERY == 0:
            yield update / updates
    return BitDescent(np.array(weights), np.exp(losses))
