"""A text as pairs of input and target, its windows in random order, and mini-batches of windows of shape (T, N).

Mini-batches as in Deep Learning from Scratch 2, figure 5-15: row i starts at i * (L // N) of the L pairs, each window continues
where the previous window of the row ended, modulo L, so that the state can be carried. An epoch is L // (N * T) updates.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Int, Int32

Window = tuple[Int[np.ndarray, "T N"], Int[np.ndarray, "T N"]]


@dataclass(frozen=True, eq=False)
class Stream:
    """L pairs in reading order: ``targets[i]`` is to be predicted after ``inputs[i]``. Both (L,), int32, read-only.

    Raises ``ValueError`` unless both have the same length.
    """

    inputs: Int32[np.ndarray, " L"]
    targets: Int32[np.ndarray, " L"]

    def __post_init__(self) -> None:
        if self.inputs.ndim != 1 or self.inputs.shape != self.targets.shape:
            raise ValueError(f"Every input needs one target; shapes {self.inputs.shape} and {self.targets.shape} came.")
        for name in ("inputs", "targets"):
            view = getattr(self, name).view()
            view.flags.writeable = False
            object.__setattr__(self, name, view)

    def __len__(self) -> int:
        return len(self.inputs)

    def __getitem__(self, part: slice) -> "Stream":
        return Stream(self.inputs[part], self.targets[part])


def next_token_pairs(ids: Int32[np.ndarray, " tokens"]) -> Stream:
    """A text as pairs: the target of every token is the next token."""
    return Stream(ids[:-1], ids[1:])


def whole_windows(stream: Stream, batch_size: int, num_steps: int) -> Stream:
    """A stream cut so that every row consists of whole windows: no window begins in one row and ends in the next."""
    length = len(stream) // (batch_size * num_steps) * batch_size * num_steps
    return stream[:length]


def shuffled(stream: Stream, num_steps: int, rng: np.random.Generator) -> Stream:
    """The windows of ``num_steps`` pairs of a stream in random order (a last, shorter piece is left out)."""
    order = rng.permutation(len(stream) // num_steps)
    places = (order[:, None] * num_steps + np.arange(num_steps)).ravel()
    return Stream(stream.inputs[places], stream.targets[places])


class Windows:
    """Endless iterator of (inputs, targets), each (T, N) and contiguous.

    ``position`` is the number of tokens that every row has read, modulo L; set it (no modulo needed) to move back or ahead.
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
        self._stream = stream  # shared by all runs on this text: windows are copies
        self._places = np.arange(num_steps)[:, None] + stride * np.arange(batch_size)  # indices of the window at position 0
        self.position = 0

    def __iter__(self) -> "Windows":
        return self

    def __next__(self) -> Window:
        places = self._places + self.position % self.length
        window = np.empty((2, *self.shape), np.intp)
        window[0] = self._stream.inputs.take(places, mode="wrap")  # a row past the end continues at the beginning
        window[1] = self._stream.targets.take(places, mode="wrap")
        self.position = (self.position + self.shape[0]) % self.length
        return window[0], window[1]
