"""Vanishing and exploding gradients, measured for an untrained and for a trained network; and the effect of gradient clipping.

phi' and W_hh together change a gradient at each step back. Largest singular value of W_hh times largest phi': below one is
sufficient for vanishing, above one is necessary for exploding; the spectral radius decides neither. Sources: Bengio, Simard
and Frasconi 1994; Pascanu, Mikolov and Bengio 2013, section 2; D2L 8.7.

Clipping by norm shortens the whole vector; clipping by value limits each number, which changes the direction. Sources:
Pascanu, Mikolov and Bengio 2013, section 3.2 (norm); Mikolov 2012, section 3.3 (value); D2L 8.5.5.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from core.analysis.gradient_flow import LagCurve, gradient_flow, lag_curve
from core.analysis.jacobian import share_saturated
from core.config.language import gettext as _
from core.models.initialisation import init_params, spectral_radius
from core.models.params import Params
from core.models.rnn import backward, forward
from core.text.corpus import Stream
from core.text.randomness import Purpose, generator
from core.text.token_stream import Window

FRESH_V, FRESH_H, FRESH_T, FRESH_N = 28, 128, 64, 8  # sizes of the untrained network and of the random text that it reads
MOST_WORK = 1_200_000_000  # multiplications of one sweep; with more, other sessions would wait too long for the compute lock


@dataclass(frozen=True, eq=False)
class Experiment:
    """Results of a forward and backward pass over T tokens in N rows from states of zeros, in float64.

    ``curve`` has the norms over the batch of d L_t / d h_(t-lag), in nats per unit of h. ``saturated`` is the share of saturated
    units over all steps and rows. ``gradient`` is the gradient of the mean loss, all parameters in one vector.
    """

    curve: LagCurve
    saturated: float
    gradient: Float[np.ndarray, " P"]

    @property
    def T(self) -> int:
        return len(self.curve.median)

    @property
    def relative(self) -> Float[np.ndarray, " T"]:
        """The median norm at every lag, divided by the median at lag 0; not finite if that is zero."""
        with np.errstate(all="ignore"):
            return self.curve.median / self.curve.median[0]

    @property
    def rate(self) -> float:
        """The factor per step back, from the line fitted to the logarithms."""
        return self.curve.rate


def measure(params: Params, text: Window, *, activation: str) -> Experiment:
    """Run a window (T, N) forward, and every loss back to every state. Raises ``ValueError`` where ``forward`` does."""
    tokens, targets = text
    trace = forward(params.copy(np.float64), tokens, activation=activation)
    gradients = backward(trace, targets)
    curve = lag_curve(gradient_flow(gradients).norms)
    return Experiment(curve, float(share_saturated(trace).mean()), gradients.dparams.flat)


def at_radius(params: Params, radius: float, natural: float | None = None) -> Params:
    """A float64 copy whose W_hh has the spectral radius ``radius``. ``natural`` is the present radius, if already known.

    ``ValueError`` with a sentence if the present radius is zero or not finite.
    """
    had = spectral_radius(params.W_hh) if natural is None else natural
    if not 0 < had < np.inf:
        raise ValueError(_("W_hh has no spectral radius that could be scaled: its eigenvalues are zero or not finite."))
    wide = params.copy(np.float64)
    np.multiply(wide.W_hh, radius / had, wide.W_hh)
    return wide


def fresh_network(seed: int = 0) -> Params:
    """An untrained network as in Deep Learning from Scratch 2: every weight normal with std 1/sqrt(H), biases zero, float64."""
    return init_params(FRESH_V, FRESH_H, rng=generator(seed, Purpose.INIT), dtype=np.float64)


def fresh_text(T: int = FRESH_T, seed: int = 0) -> Window:
    """Random tokens and targets for :func:`fresh_network`, T steps; a shorter text is the beginning of a longer one."""
    tokens, targets = generator(seed, Purpose.DATA).integers(0, FRESH_V, (T, 2, FRESH_N)).transpose(1, 0, 2)
    return np.ascontiguousarray(tokens), np.ascontiguousarray(targets)


def fresh_rates(radius: float, T: int, activation: str, seeds: int) -> Iterator[float]:
    """The factor per step of fresh networks with this spectral radius: one network of each seed, on a text of its own."""
    for seed in range(seeds):
        yield measure(at_radius(fresh_network(seed), radius), fresh_text(T, seed), activation=activation).rate


def passages(stream: Stream, T: int, N: int) -> Window:
    """At most N passages of T tokens, spread evenly over a text; shorter or fewer if the text is short."""
    T = max(1, min(T, len(stream)))
    N = max(1, min(N, len(stream) // T))
    starts: Int[np.ndarray, " N"] = np.arange(N) * ((len(stream) - T) // max(N - 1, 1))
    places = starts + np.arange(T)[:, None]
    return stream.inputs[places], stream.targets[places]


def affordable(T: int, N: int, H: int) -> tuple[int, int]:
    """T and N within ``MOST_WORK`` for a network of H units: reduces first the rows, then the steps, to at least one each."""
    per_row = T * (T + 1) // 2 * H * H
    if per_row <= MOST_WORK:
        return T, max(1, min(N, MOST_WORK // per_row))
    return max(1, (math.isqrt(1 + 8 * (MOST_WORK // (H * H))) - 1) // 2), 1  # the largest T with T (T + 1) / 2 <= MOST_WORK / H^2


class Clipped(NamedTuple):
    """Lengths of a gradient before and after clipping, and the angle between both in degrees (nan where a length is zero)."""

    before: float
    after: float
    angle: float


def limit_for_norm(gradient: Float[np.ndarray, " P"], norm: float) -> float:
    """The limit c for which the gradient, clipped by value to [-c, c], has length ``norm``; inf if it is not longer than that.

    With the k smallest numbers unchanged and the other P - k reduced to c: norm^2 = sum of the k squares + (P - k) c^2.
    """
    sizes = np.sort(np.abs(gradient.astype(np.float64)))
    below = np.concatenate([[0.0], np.cumsum(sizes**2)])
    if not norm**2 < below[-1]:
        return math.inf
    cut = np.arange(len(sizes), 0, -1)
    limits = np.sqrt(np.maximum(norm**2 - below[:-1], 0.0) / cut)
    return float(limits[int(np.argmax(limits <= sizes))])


def compare(before: Float[np.ndarray, " P"], after: Float[np.ndarray, " P"]) -> Clipped:
    """The lengths of both vectors and the angle between them, in float64."""
    a, b = before.astype(np.float64), after.astype(np.float64)
    return Clipped(float(np.linalg.norm(a)), float(np.linalg.norm(b)), angle(a, b))


def both_clippings(
    gradient: Float[np.ndarray, " P"], norm: float, clip_by_norm: Callable[[Float[np.ndarray, " P"], float], object]
) -> tuple[Clipped, Clipped]:
    """The results of clipping a gradient to length ``norm`` by norm (``clip_by_norm`` works in place) and by value."""
    by_norm, limit = gradient.copy(), limit_for_norm(gradient, norm)
    clip_by_norm(by_norm, norm)
    return compare(gradient, by_norm), compare(gradient, np.clip(gradient, -limit, limit))


def angle(a: Float[np.ndarray, " P"], b: Float[np.ndarray, " P"]) -> float:
    """Degrees between two vectors, from 0 to 180; nan if a vector is zero or not finite.

    From the lengths of sum and difference of the unit vectors: exact for small angles, unlike the arccosine (Kahan).
    """
    with np.errstate(all="ignore"):
        a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
        return math.degrees(2 * math.atan2(float(np.linalg.norm(a - b)), float(np.linalg.norm(a + b))))
