"""The parameters of a network: named views of one vector.

One vector, so that an optimiser, a norm, a copy or a checkpoint is one operation on ``flat``; views, so that code reads
like the equations. Names are the first source's (D2L 8.4); the second source writes W_xh, W_hh, b_h as Wx, Wh, b of
its RNN layer, W_hq, b_q as W, b of its affine layer, and W_emb as embed_W.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Integer

Tokens = Integer[np.ndarray, "T N"]  # of a window
Ids = Integer[np.ndarray, " T"]  # the tokens of one text
Rows = Float[np.ndarray, "N H"]  # the states of one step
Steps = Float[np.ndarray, "T N H"]
States = Float[np.ndarray, "states N H"]  # T+1 of them: row 0 is before the first step
Logits = Float[np.ndarray, "T N V"]


def shapes_of(vocab_size: int, hidden_size: int, embedding_size: int = 0) -> dict[str, tuple[int, ...]]:
    """Name -> shape of every parameter, in the order of ``flat``."""
    V, H, D = vocab_size, hidden_size, embedding_size or vocab_size
    shapes: dict[str, tuple[int, ...]] = {"W_xh": (D, H), "W_hh": (H, H), "b_h": (H,), "W_hq": (H, V), "b_q": (V,)}
    return shapes | ({"W_emb": (V, D)} if embedding_size else {})


def count(vocab_size: int, hidden_size: int, embedding_size: int = 0) -> int:
    """The number of weights and biases of a network of these sizes."""
    return sum(math.prod(shape) for shape in shapes_of(vocab_size, hidden_size, embedding_size).values())


@dataclass(frozen=True, eq=False, repr=False)
class Params:
    """The weights and biases of the network, each a view of ``flat``: writing to one changes the other.

    The input vector is D wide: D = V when the input is one-hot (``W_emb`` is None), else the embedding's width.
    """

    flat: Float[np.ndarray, " P"]
    W_xh: Float[np.ndarray, "D H"]
    W_hh: Float[np.ndarray, "H H"]
    b_h: Float[np.ndarray, " H"]
    W_hq: Float[np.ndarray, "H V"]
    b_q: Float[np.ndarray, " V"]
    W_emb: Float[np.ndarray, "V D"] | None = None

    @classmethod
    def zeros(cls, *sizes: int, dtype: np.typing.DTypeLike = np.float32) -> "Params":
        """All weights zero. ``sizes``: V, H, and D unless the input is one-hot."""
        return cls.over(np.zeros(count(*sizes), dtype), *sizes)

    @classmethod
    def over(cls, flat: Float[np.ndarray, " P"], vocab_size: int, hidden_size: int, embedding_size: int = 0) -> "Params":
        """Parameters of these sizes as views of ``flat``; ``ValueError`` unless it has exactly as many numbers."""
        shapes = shapes_of(vocab_size, hidden_size, embedding_size)
        ends = np.cumsum([math.prod(shape) for shape in shapes.values()])
        if flat.shape != (ends[-1],):
            raise ValueError(f"A network of these sizes has {ends[-1]} numbers, not {flat.shape}.")
        parts = zip(shapes.items(), np.split(flat, ends[:-1]), strict=True)
        return cls(flat, **{name: part.reshape(shape) for (name, shape), part in parts})

    def with_flat(self, flat: Float[np.ndarray, " P"]) -> "Params":
        """Parameters of the same sizes as views of another vector."""
        return self.over(flat, *self.sizes)

    def copy(self, dtype: np.typing.DTypeLike | None = None) -> "Params":
        """An independent, writable copy, converted to ``dtype`` if given."""
        return self.with_flat(self.flat.astype(dtype or self.flat.dtype))

    def frozen_copy(self) -> "Params":
        """An independent, read-only copy, for other threads."""
        flat = self.flat.copy()
        flat.flags.writeable = False
        return self.with_flat(flat)

    def named(self) -> dict[str, np.ndarray]:
        """Name -> view, in the order of ``flat``."""
        return {name: getattr(self, name) for name in shapes_of(*self.sizes)}

    @cached_property
    def sizes(self) -> tuple[int, int, int]:
        """V, H, and D, or 0 when the input is one-hot."""
        H, V = self.W_hq.shape
        return V, H, 0 if self.W_emb is None else self.W_emb.shape[1]

    @property
    def vocab_size(self) -> int:
        return self.sizes[0]

    @property
    def hidden_size(self) -> int:
        return self.sizes[1]

    @property
    def dtype(self) -> np.dtype:
        return self.flat.dtype
