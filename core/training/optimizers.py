"""Optimisers (SGD, Adagrad, Adam), gradient clipping, weight decay and the learning rate, in place on flat vectors.

``step`` of an optimiser updates ``parameters``; ``state`` holds all of its arrays: write into them to restore it. Each operation
acts on the whole vector: measurements with chunks that fit into the cache were slower at every size. ``momentum`` is for SGD;
the others ignore it.
"""

import math
from collections.abc import Iterable

import numpy as np
from jaxtyping import Float

from core.config.settings import Settings


class SGD:
    """v = momentum * v + g, at first zero; p -= rate * v (D2L 11.4, 11.6; Deep Learning from Scratch 2, 1.3.6)."""

    def __init__(self, size: int, dtype: np.typing.DTypeLike = np.float32) -> None:
        self.state = {"velocity": np.zeros(size, dtype)}
        self._scratch = np.empty(size, dtype)

    def step(
        self, parameters: Float[np.ndarray, " P"], gradient: Float[np.ndarray, " P"], rate: float, momentum: float = 0.0
    ) -> None:
        velocity, step = self.state["velocity"], self._scratch
        if momentum:
            velocity *= momentum
            velocity += gradient
        else:  # the same, in fewer passes
            np.copyto(velocity, gradient)
        np.multiply(velocity, rate, step)
        parameters -= step


class Adagrad:
    """p -= rate * g / (sqrt(sum of all g^2) + eps) (Duchi et al. 2011; D2L 11.7)."""

    EPS = 1e-7

    def __init__(self, size: int, dtype: np.typing.DTypeLike = np.float32) -> None:
        self.state = {"squares": np.zeros(size, dtype)}
        self._scratch = np.empty(size, dtype)

    def step(
        self, parameters: Float[np.ndarray, " P"], gradient: Float[np.ndarray, " P"], rate: float, momentum: float = 0.0
    ) -> None:
        squares, step = self.state["squares"], self._scratch
        np.multiply(gradient, gradient, step)
        np.add(squares, step, squares)
        np.sqrt(squares, step)
        np.add(step, self.EPS, step)
        np.divide(gradient, step, step)
        np.multiply(step, rate, step)
        np.subtract(parameters, step, parameters)


class Adam:
    """p -= rate * m̂ / (sqrt(v̂) + eps), with m and v the decaying means of g and g^2, and m̂ = m / (1 - beta_1^t),
    v̂ = v / (1 - beta_2^t), as both means begin at zero (Kingma and Ba 2015, algorithm 1)."""

    BETA_1, BETA_2, EPS = 0.9, 0.999, 1e-8

    def __init__(self, size: int, dtype: np.typing.DTypeLike = np.float32) -> None:
        self.state = {"m": np.zeros(size, dtype), "v": np.zeros(size, dtype), "t": np.zeros(1, np.int64)}
        self._scratch = np.empty(size, dtype)

    def step(
        self, parameters: Float[np.ndarray, " P"], gradient: Float[np.ndarray, " P"], rate: float, momentum: float = 0.0
    ) -> None:
        self.state["t"] += 1
        m, v, t, step = self.state["m"], self.state["v"], int(self.state["t"][0]), self._scratch
        np.subtract(gradient, m, step)
        step *= 1 - self.BETA_1
        m += step
        np.multiply(gradient, gradient, step)
        step -= v
        step *= 1 - self.BETA_2
        v += step
        np.divide(v, 1 - self.BETA_2**t, step)
        np.sqrt(step, step)
        step += self.EPS
        np.divide(m, step, step)
        step *= rate / (1 - self.BETA_1**t)
        parameters -= step


NEVER_NEGATIVE = ("squares", "v", "t")  # names of state arrays
OPTIMIZERS = {"sgd": SGD, "adagrad": Adagrad, "adam": Adam}


def make_optimizer(name: str, size: int, dtype: np.typing.DTypeLike = np.float32) -> SGD | Adagrad | Adam:
    """A fresh optimiser for ``size`` parameters. ``ValueError`` for an unknown name."""
    if name not in OPTIMIZERS:
        raise ValueError(f"The optimiser is one of {', '.join(OPTIMIZERS)}; {name!r} is not.")
    return OPTIMIZERS[name](size, dtype)


def rate_at(settings: Settings, done: int) -> float:
    """Learning rate of the update after ``done`` updates. On a schedule it falls like half a cosine, to exactly zero after
    ``cosine_until`` updates.

    Source: Loshchilov and Hutter 2017, equation 5, without restarts.
    """
    if not settings.cosine_until:
        return settings.learning_rate
    return settings.learning_rate * (1 + math.cos(math.pi * min(done / settings.cosine_until, 1))) / 2


def apply_weight_decay(parameters: Iterable[Float[np.ndarray, "..."]], share: float) -> None:
    """Decoupled weight decay: multiply every parameter by 1 - ``share``, or by 0 if ``share`` is above 1.

    Source: Loshchilov and Hutter 2019, algorithm 2, as in PyTorch's AdamW: ``share`` is the current learning rate times the
    decay, and biases decay, too.
    """
    if share:
        for array in parameters:
            array *= 1 - min(share, 1)


def clip_by_global_norm(gradient: Float[np.ndarray, " P"], max_norm: float) -> float:
    """Clip ``gradient`` in place to norm ``max_norm`` (0: no clipping). Return the norm before clipping.

    Source: D2L 8.5.5; Pascanu et al. 2013, algorithm 1.
    """
    length = norm(gradient)
    if 0 < max_norm < length < math.inf:
        np.multiply(gradient, max_norm / length, gradient)
    return length


def norm(vector: Float[np.ndarray, " P"]) -> float:
    """The Euclidean norm, in float64 where float32 would overflow or underflow: finite for every finite vector."""
    with np.errstate(all="ignore"):
        square = float(np.dot(vector, vector))
        if math.isfinite(square) and square > 1e-30:
            return math.sqrt(square)
        wide = vector.astype(np.float64)
        largest = float(np.abs(wide).max(initial=0))
        if largest == 0 or not math.isfinite(largest):
            return largest
        wide /= largest
        return largest * math.sqrt(float(np.dot(wide, wide)))
