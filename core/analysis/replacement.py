"""One token of a text replaced by another: what is left of the difference in the states and predictions that follow.

The same network reads both texts, in float64 from a state of zeros. Beside the true difference stands the linear one, which the
gradient sees: (x' - x) W_xh at the replaced step, and from step to step multiplied by W_hh and phi'. Source: D2L 8.7.1 (the
products of Jacobians); the measure of influence over a distance is that of Khandelwal et al. 2018, section 3, for one token.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Integer

from core.models.layers import input_layer
from core.models.loss import softmax
from core.models.params import Ids, Params, Tokens
from core.models.rnn import forward

FORGOTTEN = 0.01  # of the first distance between both states: below it the token is forgotten
APART = 0.5  # of the true difference: from this error on, the linear difference is apart from it
RUN_IN = 12  # tokens before the replaced one, when many places of a text are averaged
LAGS = 25  # distances in the average: 0 to 24 steps
PLACES = 64  # places of the text in the average, at most
MOST_WORK = 150_000_000  # multiplications at most of an average


@dataclass(frozen=True, eq=False)
class Replacement:
    """Two readings that differ in the token at index ``at``. Rows are steps 1 to T; rows before ``at`` are zero in differences.

    ``difference`` is h' - h and ``linear`` the same to first order. ``p`` and ``p_other`` are the probabilities of the targets in
    both readings; ``linear_log_p`` is the change of ln p of each target to first order. Units: h has none, ln p is in nats.
    """

    at: int
    difference: Float[np.ndarray, "T H"]
    linear: Float[np.ndarray, "T H"]
    p: Float[np.ndarray, " T"]
    p_other: Float[np.ndarray, " T"]
    linear_log_p: Float[np.ndarray, " T"]

    @property
    def distance(self) -> Float[np.ndarray, " T"]:
        """|h' - h| of every step."""
        return _sizes(self.difference)

    @property
    def linear_distance(self) -> Float[np.ndarray, " T"]:
        """|h' - h| of every step to first order."""
        return _sizes(self.linear)

    @property
    def log_p(self) -> Float[np.ndarray, " T"]:
        """The true change of ln p of every target, in nats."""
        with np.errstate(all="ignore"):
            return np.log(self.p_other) - np.log(self.p)

    @property
    def forgotten(self) -> int | None:
        """After how many steps the distance stays below ``FORGOTTEN`` of its first value; None if not within the text."""
        left = self.distance[self.at :]
        kept = np.flatnonzero(~(left < FORGOTTEN * left[0]))
        after = int(kept[-1]) + 1 if len(kept) else 0
        return after if after < len(left) and left[0] > 0 else None

    @property
    def parted(self) -> int | None:
        """The first step, counted from the replaced one, at which the linear difference is off by more than ``APART`` of the true
        one; None if it never is."""
        with np.errstate(all="ignore"):
            wrong = _sizes(self.linear - self.difference)[self.at :] > APART * self.distance[self.at :]
        return int(np.argmax(wrong)) if wrong.any() else None


def _sizes(rows: Float[np.ndarray, "T H"]) -> Float[np.ndarray, " T"]:
    with np.errstate(all="ignore"):
        return np.linalg.norm(rows, axis=1)


def replace_token(params: Params, tokens: Ids, targets: Ids, at: int, other: int, *, activation: str = "tanh") -> Replacement:
    """Read ``tokens``, and the same with ``other`` at index ``at``. Raises ``ValueError`` where ``forward`` does."""
    wide, both = params.copy(np.float64), np.stack([tokens, tokens], axis=1)
    both[at, 1] = other
    trace = forward(wide, both, activation=activation)
    p = softmax(trace.logits)
    steps = np.arange(len(tokens))
    with np.errstate(all="ignore"):
        difference = trace.h[1:, 1] - trace.h[1:, 0]
        slope, linear = trace.slope[1:, 0], np.zeros_like(difference)
        inputs = input_layer(wide, both[at : at + 1])[0]
        linear[at] = (inputs[1] - inputs[0]) * slope[at]
        for t in range(at + 1, len(tokens)):
            linear[t] = (linear[t - 1] @ wide.W_hh) * slope[t]
        scores = linear @ wide.W_hq  # change of the logits
        linear_log_p = scores[steps, targets] - (p[:, 0] * scores).sum(axis=1)
    return Replacement(at, difference, linear, p[steps, 0, targets], p[steps, 1, targets], linear_log_p)


@dataclass(frozen=True, eq=False)
class Influence:
    """The mean change of the prediction, KL(p || p') in nats, by the distance from the replaced token, with standard errors."""

    mean: Float[np.ndarray, " lags"]
    error: Float[np.ndarray, " lags"]
    places: int


def affordable_places(V: int, H: int) -> int:
    """How many places of a text :func:`mean_influence` may average; fewer for a large network."""
    return min(PLACES, MOST_WORK // (2 * (RUN_IN + LAGS) * H * (H + V)))


def passages(text: Ids, places: int) -> Integer[np.ndarray, "steps N"]:
    """Passages of RUN_IN + LAGS tokens, spread evenly over a text: (RUN_IN + LAGS, N), with N at most ``places``."""
    length = RUN_IN + LAGS
    N = min(places, len(text) // length)
    begins = np.linspace(0, len(text) - length, N).astype(int) if N else np.zeros(0, int)
    return text[begins[None] + np.arange(length)[:, None]]


def other_tokens(text: Ids, instead_of: Integer[np.ndarray, " N"], rng: np.random.Generator) -> Integer[np.ndarray, " N"]:
    """For each token another one, drawn from the text's unigrams. ``ValueError`` for a text of one token alone."""
    if (text == text[0]).all():
        raise ValueError("A text of one token alone has no other token.")
    found = rng.choice(text, len(instead_of))
    while (same := found == instead_of).any():
        found[same] = rng.choice(text, int(same.sum()))
    return found


def mean_influence(
    params: Params, tokens: Tokens, others: Integer[np.ndarray, " N"], *, activation: str = "tanh", at: int = RUN_IN
) -> Influence:
    """Replace the token at index ``at`` of every passage (T, N) by one of ``others``, and average over the passages."""
    wide, replaced = params.copy(np.float64), tokens.copy()
    replaced[at] = others
    p, q = (softmax(forward(wide, ids, activation=activation).logits[at:]) for ids in (tokens, replaced))
    with np.errstate(all="ignore"):
        kl = np.where(p > 0, p * (np.log(p) - np.log(q)), 0.0).sum(axis=2)  # (lags, N)
        N = kl.shape[1]
        return Influence(kl.mean(axis=1), kl.std(axis=1, ddof=1) / np.sqrt(N) if N > 1 else np.full(len(kl), np.nan), N)
