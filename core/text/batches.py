"""From a stream of (input, target) pairs to windows of shape (T, N), in reading order so that the state can be carried on.

Mini-batches as in Deep Learning from Scratch 2, figure 5-15: row i starts at i * (L // N) of the L pairs, each window goes on
where the row's last one ended, modulo L. An epoch is L // (N * T) updates.
"""

import numpy as np
from jaxtyping import Int

from core.text.corpus import Stream

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
        self._wrapping = [np.concatenate((ids, ids[:num_steps])) for ids in (stream.inputs, stream.targets)]
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
        inputs, targets = (self._cut(ids) for ids in self._wrapping)
        self.position += self.shape[0]
        return inputs, targets

    def _cut(self, ids: Int[np.ndarray, " wrapped"]) -> Int[np.ndarray, "T N"]:
        """Row i of the window is ids[i * stride + position :][:T]; rows past the end start again from its beginning."""
        window = np.empty(self.shape, ids.dtype)
        before_end = min(-(-(self.length - self._position) // self._stride), self.shape[1])
        window[:, :before_end] = self._columns(ids, self._position, before_end)
        if before_end < self.shape[1]:
            start = before_end * self._stride + self._position - self.length
            window[:, before_end:] = self._columns(ids, start, self.shape[1] - before_end)
        return window

    def _columns(self, ids: np.ndarray, start: int, rows: int) -> np.ndarray:
        """Rows that start at ``start``, ``start + stride`` ..., side by side: a view, so that cutting is one strided copy."""
        T, size = self.shape[0], ids.itemsize
        return np.lib.stride_tricks.as_strided(ids[start:], (T, rows), (size, self._stride * size), writeable=False)
