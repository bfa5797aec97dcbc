"""The tokens read at each update: the mini-batches of Deep Learning from Scratch 2, figure 5-15, as training reads them.

The order is not implemented again: ``core.text.token_stream.Windows``, the iterator of training, reads a stream of positions.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Int

from core.text.corpus import Stream
from core.text.randomness import Purpose, generator
from core.text.token_stream import Windows, shuffled, whole_windows

FROM_START, AROUND_END = 40, 6  # updates listed: the first of an epoch, and those before and after its end


@dataclass(frozen=True, eq=False)
class MiniBatches:
    """The positions in a text of ``length`` pairs that are read: ``places[i, :, row]`` by a row at update ``updates[i]``.

    Updates count from 0 and continue into the second epoch; an epoch has ``per_epoch`` updates.
    """

    length: int
    per_epoch: int
    updates: Int[np.ndarray, " F"]
    places: Int[np.ndarray, "F T N"]

    @property
    def starts(self) -> Int[np.ndarray, " N"]:
        """The first position of each row."""
        return self.places[0, 0]


def mini_batches(length: int, batch_size: int, num_steps: int, *, in_order: bool = True) -> MiniBatches:
    """The first updates of a text and those around the end of its first epoch; windows in random order unless ``in_order``.

    ``ValueError`` with a sentence when the text is too short for one update.
    """
    places = np.arange(length, dtype=np.int32)
    stream = Stream(places, places)
    if not in_order and length >= batch_size * num_steps:
        stream = shuffled(whole_windows(stream, batch_size, num_steps), num_steps, generator(0, Purpose.DISPLAY))
    windows = Windows(stream, batch_size, num_steps)
    end = windows.updates_per_epoch
    updates = np.array(sorted({*range(min(FROM_START, end)), *range(max(end - AROUND_END, 0), end + AROUND_END)}))
    read = []
    for update in updates.tolist():
        windows.position = update * num_steps
        read.append(next(windows)[0])
    return MiniBatches(length, end, updates, np.stack(read))
