"""From a stream of (input, target) pairs to windows of shape (T, N), in reading order so that the state can be carried on.

Mini-batches as in Deep Learning from Scratch 2, figure 5-15: row i starts at i * (L // N) of the L pairs, each window goes on
where the row's last one ended, modulo L. An epoch is L // (N * T) updates.
"""

import numpy as np
from jaxtyping import Int

from core.text.pairs import Stream

Window = tuple[Int[np.ndarray, "T N"], Int[np.ndarray, "T N"]]


class Windows:
    """Endless iterator of (inputs, targets), each (T, N) and contiguous.

    ``position`` is how far every row has read, in tokens, modulo L; set it to go back or on.
    ``ValueError`` when the stream is too short for one window.
    """

    def __init__(self, stream: Stream, batch_size: int, num_steps: int) -> None:
        if len(stream) < batch_size * num_steps:
            raise ValueError(
                f"The text gives {len(stream)} training tokens; one window takes {batch_size} sequences of {num_steps} "
                f"= {batch_size * num_steps}. Use more text, fewer sequences or fewer time steps."
            )
        self.length = len(stream)
        self.shape = (num_steps, batch_size)
        self.updates_per_epoch = self.length // (batch_size * num_steps)
        self._stride = self.length // batch_size
        both = np.stack([stream.inputs, stream.targets])
        self._ids = np.concatenate((both, both[:, :num_steps]), axis=1)  # so that a window may run over the end
        across, along = self._ids.strides
        # [which, place, row] is the token that is row * stride + place pairs into the text. Only a view: most of what it seems
        # to hold lies outside the text, and __next__ reads none of that.
        self._rows = np.lib.stride_tricks.as_strided(
            self._ids, (2, self.length + num_steps, batch_size), (across, along, self._stride * along), writeable=False
        )
        self._position = 0

    @property
    def position(self) -> int:
        return self._position

    @position.setter
    def position(self, tokens: int) -> None:
        self._position = int(tokens) % self.length

    def __iter__(self) -> "Windows":
        return self

    def __next__(self) -> Window:
        T, N = self.shape
        window = np.empty((2, T, N), np.intp)
        place = self._position
        before_end = min(-(-(self.length - place) // self._stride), N)
        window[:, :, :before_end] = self._rows[:, place : place + T, :before_end]
        if before_end < N:  # the other rows are past the end, and read from the text's beginning
            place += before_end * self._stride - self.length
            window[:, :, before_end:] = self._rows[:, place : place + T, : N - before_end]
        self._position = (self._position + T) % self.length
        return window[0], window[1]
