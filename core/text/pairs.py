"""What a network reads, and what it should say: inputs and targets, one to one."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Int32


@dataclass(frozen=True, eq=False)
class Stream:
    """L pairs in reading order: after ``inputs[i]`` comes ``targets[i]``. Both (L,), int32, read-only.

    Raises ``ValueError`` unless they are of one length.
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
    """A text as pairs: the target of every token is the one after it."""
    return Stream(ids[:-1], ids[1:])
