"""The parameters of the network: named views of one vector, and how they begin.

One vector, so that an optimiser, a norm, a copy or a checkpoint is one operation on ``flat``; views, so that the equations
read as they are written. Names are the first source's (D2L 8.4); the second source writes W_xh, W_hh, b_h as Wx, Wh, b of
its RNN layer, W_hq, b_q as W, b of its affine layer, and W_emb as embed_W.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

INITIALISATIONS = ("xavier", "normal001", "uniform001", "orthogonal", "identity")


class Weights:
    """The weights and biases of a network: a frozen dataclass of arrays, each a view of its first, ``flat``.

    Writing to a view writes to ``flat``, and the other way round. The input vector is D wide: D = V when the input is one-hot
    (``W_emb`` is None), else the embedding's width.
    """

    @classmethod
    def shapes(cls, vocab_size: int, hidden_size: int, embedding_size: int = 0) -> dict[str, tuple[int, ...]]:
        """Name -> shape of the arrays this network has, in the order in which they lie in ``flat``."""
        everything = shapes_of(vocab_size, hidden_size, embedding_size)
        return {name: shape for name, shape in everything.items() if name in cls.__dataclass_fields__}

    @classmethod
    def over(cls, flat: Float[np.ndarray, " P"], vocab_size: int, hidden_size: int, embedding_size: int = 0) -> "Weights":
        """Parameters of these sizes as views of ``flat``; ``ValueError`` unless it has exactly as many numbers."""
        shapes = cls.shapes(vocab_size, hidden_size, embedding_size)
        ends = np.cumsum([math.prod(shape) for shape in shapes.values()])
        if flat.shape != (ends[-1],):
            raise ValueError(f"A network of these sizes has {ends[-1]} numbers, not {flat.shape}.")
        parts = zip(shapes.items(), np.split(flat, ends[:-1]), strict=True)
        return cls(flat, **{name: part.reshape(shape) for (name, shape), part in parts})

    def with_flat(self, flat: Float[np.ndarray, " P"]) -> "Weights":
        """Parameters of the same sizes as views of another vector."""
        return self.over(flat, *self.sizes)

    def copy(self, dtype: np.typing.DTypeLike | None = None) -> "Weights":
        """An independent, writable copy, in another precision if one is named."""
        return self.with_flat(self.flat.astype(dtype or self.flat.dtype))

    def frozen_copy(self) -> "Weights":
        """An independent copy that nobody can write to: what may be handed to another thread."""
        flat = self.flat.copy()
        flat.flags.writeable = False
        return self.with_flat(flat)

    def named(self) -> dict[str, np.ndarray]:
        """Name -> view, in the order of ``flat``."""
        return {name: getattr(self, name) for name in self.shapes(*self.sizes)}

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
    def embedding_size(self) -> int:
        """D, or 0 when the input is one-hot."""
        return self.sizes[2]

    @property
    def dtype(self) -> np.dtype:
        return self.flat.dtype

    def __repr__(self) -> str:
        V, H, D = self.sizes
        return f"{type(self).__name__}(V={V}, H={H}, D={D or 'one-hot'}, {self.dtype})"


@dataclass(frozen=True, eq=False, repr=False)
class Params(Weights):
    """The weights and biases of the recurrent network."""

    flat: Float[np.ndarray, " P"]
    W_xh: Float[np.ndarray, "D H"]
    W_hh: Float[np.ndarray, "H H"]
    b_h: Float[np.ndarray, " H"]
    W_hq: Float[np.ndarray, "H V"]
    b_q: Float[np.ndarray, " V"]
    W_emb: Float[np.ndarray, "V D"] | None = None

    @classmethod
    def zeros(
        cls, vocab_size: int, hidden_size: int, embedding_size: int = 0, dtype: np.typing.DTypeLike = np.float32
    ) -> "Params":
        """All weights zero."""
        sizes = vocab_size, hidden_size, embedding_size
        flat = aligned((count(*sizes),), dtype)
        flat.fill(0)
        return cls.over(flat, *sizes)


def aligned(shape: tuple[int, ...], dtype: np.typing.DTypeLike) -> np.ndarray:
    """A new array, not filled, that begins where a line of the cache does, every 64 bytes (NumPy's begin every 16).

    A small product with a matrix that lies across the lines takes a quarter longer: measured with AVX-512, 32 rows, H = 128.
    """
    size = math.prod(shape) * np.dtype(dtype).itemsize
    space = np.empty(size + 64, np.uint8)
    start = -space.ctypes.data % 64
    return space[start : start + size].view(dtype).reshape(shape)


def shapes_of(vocab_size: int, hidden_size: int, embedding_size: int = 0) -> dict[str, tuple[int, ...]]:
    """Name -> shape of every parameter, in the order in which they lie in ``flat``."""
    V, H, D = vocab_size, hidden_size, embedding_size or vocab_size
    shapes: dict[str, tuple[int, ...]] = {"W_xh": (D, H), "W_hh": (H, H), "b_h": (H,), "W_hq": (H, V), "b_q": (V,)}
    return shapes | ({"W_emb": (V, D)} if embedding_size else {})


def count(vocab_size: int, hidden_size: int, embedding_size: int = 0) -> int:
    """How many numbers a network of these sizes has."""
    return sum(math.prod(shape) for shape in shapes_of(vocab_size, hidden_size, embedding_size).values())


def init_params(
    vocab_size: int,
    hidden_size: int,
    *,
    embedding_size: int = 0,
    init: str = "xavier",
    gain: float = 1.0,
    input_scale: float | None = None,
    output_scale: float | None = None,
    rng: np.random.Generator,
    dtype: np.typing.DTypeLike = np.float32,
) -> Params:
    """Fresh parameters; biases are zero.

    xavier: std 0.01 for W_emb, 1/sqrt(D) for W_xh with an embedding and 1/sqrt(H) one-hot, 1/sqrt(H) for W_hh and W_hq
    (Deep Learning from Scratch 2, ch. 5). normal001: all N(0, 0.01^2) (D2L 8.5). uniform001: all U(-0.01, 0.01).
    orthogonal, identity: W_hh so, the rest as xavier. ``gain`` multiplies W_hh; ``input_scale`` and ``output_scale`` replace
    the standard deviation of W_xh and W_hq. Numbers are drawn in float64, so both precisions begin alike.
    ``ValueError`` for an unknown ``init`` or a size below one.
    """
    if init not in INITIALISATIONS:
        raise ValueError(f"The initial weights are one of {', '.join(INITIALISATIONS)}; {init!r} is not.")
    if min(vocab_size, hidden_size, embedding_size + 1) < 1:
        raise ValueError(f"A network needs sizes of at least one, not V={vocab_size}, H={hidden_size}, D={embedding_size}.")
    params = Params.zeros(vocab_size, hidden_size, embedding_size, dtype)
    draw, small = _drawing(init, rng)
    per_state = small or 1 / math.sqrt(hidden_size)
    per_input = small or 1 / math.sqrt(embedding_size or hidden_size)
    if params.W_emb is not None:
        params.W_emb[...] = draw(params.W_emb.shape) * (small or 0.01)
    params.W_xh[...] = draw(params.W_xh.shape) * (per_input if input_scale is None else input_scale)
    params.W_hh[...] = gain * _recurrent(init, hidden_size, per_state, draw, rng)
    params.W_hq[...] = draw(params.W_hq.shape) * (per_state if output_scale is None else output_scale)
    return params


Draw = Callable[[tuple[int, ...]], np.ndarray]


def _drawing(init: str, rng: np.random.Generator) -> tuple[Draw, float]:
    """How to draw numbers of unit standard deviation, and the one standard deviation of all weights (0: each its own)."""
    if init == "uniform001":
        width = math.sqrt(3)  # U(-sqrt(3), sqrt(3)) has standard deviation 1
        return lambda shape: rng.uniform(-width, width, shape), 0.01 / width
    return rng.standard_normal, 0.01 if init == "normal001" else 0.0


def _recurrent(init: str, H: int, std: float, draw: Draw, rng: np.random.Generator) -> Float[np.ndarray, "{H} {H}"]:
    if init == "identity":
        return np.eye(H)
    if init == "orthogonal":
        q, r = np.linalg.qr(rng.standard_normal((H, H)))
        return q * np.where(np.diagonal(r) < 0, -1.0, 1.0)  # without the signs, QR does not draw uniformly
    return draw((H, H)) * std
