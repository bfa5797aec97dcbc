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
        stride = self.length // batch_size
        self._stream = stream  # everybody's who reads this text: a window is copied out of it, and nothing else
        self._places = np.arange(num_steps)[:, None] + stride * np.arange(batch_size)  # of a window at position 0
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
        places = self._places + self._position
        window = np.empty((2, *self.shape), np.intp)
        window[0] = self._stream.inputs.take(places, mode="wrap")  # a row past the end is read from the text's beginning
        window[1] = self._stream.targets.take(places, mode="wrap")
        self._position = (self._position + self.shape[0]) % self.length
        return window[0], window[1]
