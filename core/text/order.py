"""The windows of a text in another order: what carrying the state on depends on."""

import numpy as np

from core.text.pairs import Stream


def whole_windows(stream: Stream, batch_size: int, num_steps: int) -> Stream:
    """A stream cut to a length at which every row is whole windows, so that no window begins in one row and ends in the next."""
    length = len(stream) // (batch_size * num_steps) * batch_size * num_steps
    return stream[:length]


def shuffled(stream: Stream, num_steps: int, rng: np.random.Generator) -> Stream:
    """The same windows of ``num_steps`` pairs in random order (a last, shorter piece is left out)."""
    order = rng.permutation(len(stream) // num_steps)
    places = (order[:, None] * num_steps + np.arange(num_steps)).ravel()
    return Stream(stream.inputs[places], stream.targets[places])
