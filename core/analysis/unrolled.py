"""One forward pass, step by step: the terms of each pre-activation, the predictions, and which input changes which output.

The network is not implemented again: states and logits come from ``core.models.rnn.forward`` in float64.
Source: D2L 8.4 (Fig. 8.4.1: concatenate, fully connected layer and phi, copy); Deep Learning from Scratch 2, 5.2 and 5.3.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Integer

from core.config.language import gettext as _
from core.models.layers import input_layer
from core.models.loss import cross_entropy, perplexity, softmax
from core.models.params import Ids, Params
from core.models.rnn import Trace, forward

LARGEST_EXP = 30.0  # if the largest score is beyond this, positive or negative, exponentials are relative to the largest
STEADY_FROM = 0.3  # of the largest standard deviation: a unit that varies less is not suggested as the slowest
AT_ONCE = 2_000_000  # logits computed at a time when inputs are replaced
REPLACEMENTS = 8  # other tokens that each input is replaced by, at most


@dataclass(frozen=True, eq=False)
class Unrolled:
    """A forward pass over T tokens from a state of zeros, float64. ``h[t]`` is the state after t tokens.

    ``from_input + from_memory + bias = a`` and ``h[1:] = phi(a)``: the parts of the token, the previous state and the bias in
    each pre-activation. ``p`` are the probabilities of the next token; ``losses`` are -ln p of the targets, in nats.
    """

    tokens: Ids
    targets: Ids
    h: Float[np.ndarray, "T+1 H"]
    from_input: Float[np.ndarray, "T H"]
    from_memory: Float[np.ndarray, "T H"]
    bias: Float[np.ndarray, " H"]
    a: Float[np.ndarray, "T H"]
    logits: Float[np.ndarray, "T V"]
    p: Float[np.ndarray, "T V"]
    losses: Float[np.ndarray, " T"]
    activation: str

    @property
    def log_likelihoods(self) -> Float[np.ndarray, " T"]:
        """ln P of the targets up to each step, given the first token: the cumulative sum of ln p, by the product rule."""
        return -np.cumsum(self.losses)

    @property
    def mean_losses(self) -> Float[np.ndarray, " T"]:
        """Mean loss up to each step, in nats per token."""
        return -self.log_likelihoods / np.arange(1, len(self.losses) + 1)

    @property
    def running_perplexity(self) -> list[float]:
        """Perplexity up to each step."""
        return [perplexity(self.losses[: t + 1]) for t in range(len(self.losses))]

    @property
    def shares(self) -> Float[np.ndarray, "T 3"]:
        """The shares of input, memory and bias in the sum of absolute addends over all units; rows sum to one."""
        sizes = [np.abs(part).sum(axis=-1) for part in (self.from_input, self.from_memory)]
        sizes.append(np.full_like(sizes[0], np.abs(self.bias).sum()))
        with np.errstate(all="ignore"):
            return np.stack(sizes, axis=-1) / sum(sizes)[:, None]


def exponentials(scores: Float[np.ndarray, " V"]) -> tuple[Float[np.ndarray, " V"], bool]:
    """exp of the scores, and whether the largest score was subtracted first: if it is beyond +-``LARGEST_EXP``, or nan."""
    highest = float(scores.max())
    shifted = not abs(highest) <= LARGEST_EXP
    with np.errstate(all="ignore"):
        return np.exp(scores - highest if shifted else scores), shifted


def unroll(params: Params, tokens: Ids, targets: Ids, *, activation: str = "tanh") -> Unrolled:
    """The forward pass over ``tokens`` with all terms of every step. Raises ``ValueError`` where ``forward`` does."""
    wide = params.copy(np.float64)
    trace = forward(wide, tokens[:, None], activation=activation)
    h, logits = trace.h[:, 0], trace.logits[:, 0]
    with np.errstate(all="ignore"):
        return Unrolled(
            tokens=tokens,
            targets=targets,
            h=h,
            from_input=wide.W_xh[tokens] if wide.W_emb is None else wide.W_emb[tokens] @ wide.W_xh,
            from_memory=h[:-1] @ wide.W_hh,
            bias=wide.b_h,
            a=pre_activations(trace)[:, 0],
            logits=logits,
            p=softmax(logits),
            losses=cross_entropy(trace.logits, targets[:, None])[:, 0],
            activation=activation,
        )


def pre_activations(trace: Trace) -> Float[np.ndarray, "T N H"]:
    """a_t = x_t W_xh + h_(t-1) W_hh + b_h of every step: the arguments of phi."""
    with np.errstate(all="ignore"):
        return input_layer(trace.params, trace.tokens) + trace.h[:-1] @ trace.params.W_hh


def top_variance_units(h: Float[np.ndarray, "T H"], count: int) -> Integer[np.ndarray, " units"]:
    """The ``count`` units (or all H) whose state varies most over time, in ascending order."""
    with np.errstate(all="ignore"):
        spread = np.nan_to_num(h.std(axis=0), nan=-1.0)
    return np.sort(np.argsort(-spread, kind="stable")[:count])


def highest_first(h: Float[np.ndarray, "T H"], count: int) -> Integer[np.ndarray, " units"]:
    """The ``count`` :func:`top_variance_units`, sorted by their mean state, the highest first."""
    units = top_variance_units(h, count)
    with np.errstate(all="ignore"):
        mean = np.nan_to_num(h[:, units].mean(axis=0))
    return units[np.argsort(-mean, kind="stable")]


def most_probable(p: Float[np.ndarray, " V"], count: int) -> list[int]:
    """The ``count`` (or all V) most probable tokens, the most probable first, equals in the order of their ids."""
    best = np.argpartition(-p, count - 1)[:count] if count < len(p) else np.arange(len(p))
    return best[np.lexsort((best, -p[best]))].tolist()


def suggested_units(u: Unrolled) -> list[tuple[str, int]]:
    """Units worth watching along this text, each with the reason; no unit twice.

    Source of the idea: Karpathy, Johnson and Fei-Fei 2015, section 4.2 (cells that count, that know quotes, that know lines).
    """
    with np.errstate(all="ignore"):
        h = np.nan_to_num(u.h[1:])
        spread = h.std(axis=0)
        pace = np.abs(np.diff(u.h, axis=0)).mean(axis=0) / spread
    pace[~(spread > STEADY_FROM * spread.max(initial=0.0))] = np.inf
    common = np.bincount(u.tokens).argmax()
    follows = np.abs(_agreement(h, np.arange(len(h))))
    found = {_("varies most"): spread, _("changes slowest"): -pace, _("follows the position"): follows}
    if 1 < (u.tokens == common).sum() < len(h):
        found[_("marks the most frequent token")] = np.abs(_agreement(h, u.tokens == common))
    suggestions: dict[int, str] = {}
    for reason, merit in found.items():
        suggestions.setdefault(int(np.argmax(np.nan_to_num(merit, nan=-1.0))), reason)
    return [(reason, unit) for unit, reason in suggestions.items()]


def _agreement(h: Float[np.ndarray, "T H"], with_what: np.ndarray) -> Float[np.ndarray, " H"]:
    """The correlation of each unit's state over time with a series; 0 where it is undefined."""
    with np.errstate(all="ignore"):
        states, series = h - h.mean(axis=0), with_what - np.mean(with_what)
        return np.nan_to_num(series @ states / np.sqrt((states**2).sum(axis=0) * (series**2).sum()))


@dataclass(frozen=True, eq=False)
class Dependence:
    """The changes of all predictions when each input token in turn is replaced by R others and the network is run again.

    ``moved[t, k]``: the change of the prediction after token t when token k is replaced, as total variation distance (half the
    sum of absolute changes of all probabilities, from 0 for the same to 1), the mean over the R replacements. ``same[t, k]``:
    whether state and logits are bit for bit the same with all replacements. ``replaced_by[:, k]`` are the replacements of
    token k.
    """

    moved: Float[np.ndarray, "T T"]
    same: Bool[np.ndarray, "T T"]
    replaced_by: Integer[np.ndarray, "R T"]


def dependence(params: Params, tokens: Ids, *, activation: str = "tanh", replacements: int = REPLACEMENTS) -> Dependence:
    """Replace every token in turn by each of the first ``replacements`` other tokens of the vocabulary (the most frequent).

    One row of a batch per replaced token; the unchanged text is run in a batch of the same shape, so that rounding is the same.
    """
    T, V = len(tokens), params.vocab_size
    first = np.arange(max(min(replacements, V - 1), 1))[:, None]
    replaced_by = np.minimum(first + (first >= tokens), V - 1).astype(tokens.dtype)
    wide, rows = params.copy(np.float64), max(AT_ONCE // (T * V), 1)
    parts = [
        _prediction_changes(wide, tokens, range(k, min(k + rows, T)), replaced_by[:, k : k + rows], activation)
        for k in range(0, T, rows)
    ]
    moved, same = (np.concatenate(columns, axis=1) for columns in zip(*parts, strict=True))
    return Dependence(moved, same, replaced_by)


def _prediction_changes(
    params: Params, tokens: Ids, places: Sequence[int], replaced_by: Integer[np.ndarray, "R K"], activation: str
) -> tuple[Float[np.ndarray, "T K"], Bool[np.ndarray, "T K"]]:
    """Columns ``places`` (K of them) of ``moved`` and ``same`` in :class:`Dependence`: the mean distance of the predictions, and
    whether states and logits stay the same."""
    before = np.repeat(tokens[:, None], len(places), axis=1)
    old, moved, same = forward(params, before, activation=activation), 0.0, True
    for tokens_instead in replaced_by:
        after = before.copy()
        after[places, np.arange(len(places))] = tokens_instead
        new = forward(params, after, activation=activation)
        with np.errstate(all="ignore"):
            moved = moved + np.abs(softmax(new.logits) - softmax(old.logits)).sum(axis=-1) / 2
        same = same & (new.h[1:] == old.h[1:]).all(axis=-1) & (new.logits == old.logits).all(axis=-1)
    return moved / len(replaced_by), same


def affordable_replacements(T: int, H: int, V: int, most: int) -> int:
    """How many replacements :func:`dependence` can run with ``most`` multiplications; 0 if not even one."""
    runs = most // (T * T * H * (H + V))  # one run is of the unchanged text
    return max(min(REPLACEMENTS, max(V - 1, 1), runs - 1), 0)
