"""Random numbers: one seed, and for every purpose a stream of its own.

So looking never moves training: a sample drawn for the screen takes nothing from the numbers the optimiser will see.
"""

from enum import IntEnum

import numpy as np


class Purpose(IntEnum):
    """What random numbers are for. The values are part of every run's identity: add at the end, never re-number."""

    INIT = 0
    DATA = 1
    OPTIMISER = 2
    DISPLAY = 3
    HELD_OUT = 4


def generator(seed: int, purpose: Purpose, *number: int) -> np.random.Generator:
    """The start of the random stream of ``seed`` for one purpose, or for the so-manieth time that it comes up. Equal arguments
    give equal streams.

    ``seed`` is an integer >= 0. Source: ``np.random.SeedSequence`` with entropy ``[seed, purpose]``.
    """
    return np.random.default_rng(np.random.SeedSequence([seed, int(purpose), *number]))
