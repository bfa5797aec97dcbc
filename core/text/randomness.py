"""Random numbers: one seed, and a separate stream for every purpose.

So the display never changes training: a sample drawn for the screen takes no numbers from the streams of training.
"""

from enum import IntEnum

import numpy as np


class Purpose(IntEnum):
    """The purpose of random numbers. The values are part of every run's identity: add at the end, never re-number."""

    INIT = 0
    DATA = 1
    OPTIMISER = 2
    DISPLAY = 3
    TARGETS = 4


def generator(seed: int, purpose: Purpose, *number: int) -> np.random.Generator:
    """A generator at the start of the random stream of ``seed`` for one purpose; ``number`` distinguishes several streams of one
    purpose, for example by update. Equal arguments give equal streams.

    ``seed`` is an integer >= 0. Source: ``np.random.SeedSequence`` with entropy ``[seed, purpose]``.
    """
    return np.random.default_rng(np.random.SeedSequence([seed, int(purpose), *number]))
