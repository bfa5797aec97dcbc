"""One forward pass, step by step: what each step adds, and what it predicts.

Nothing here computes the network a second way: states and scores come from ``core.models.rnn.forward`` in float64.
Source: D2L 8.4 (Fig. 8.4.1: concatenate, fully connected layer and phi, copy); Deep Learning from Scratch 2, 5.2 and 5.3.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Integer

from core.analysis.passages import most_varied
from core.config.language import gettext as _
from core.config.language import ngettext, sentences
from core.models.layers import input_layer
from core.models.loss import cross_entropy, perplexity, softmax
from core.models.params import Params
from core.models.rnn import Trace, forward
from core.text.corpus import Stream
from core.text.tokenizer import Tokenizer, clean, split

MOST = 40  # time steps in one drawing
LONGEST = 100_000  # characters of a pasted text that are looked at
CHOICE = 8  # windows of which the most varied one comes first
LARGEST_EXP = 30.0  # beyond it, exponentials are told relative to the largest
STEADY_FROM = 0.3  # of the largest standard deviation: below it a unit's slowness is no more than idleness


@dataclass(frozen=True, eq=False)
class Reading:
    """A text as T pairs of tokens, (T,) each, and what had to be done to it, one sentence each."""

    tokens: Integer[np.ndarray, " T"]
    targets: Integer[np.ndarray, " T"]
    notices: tuple[str, ...] = ()


def read_text(text: str, tokenizer: Tokenizer, *, cleaning: str = "keep", most: int = MOST) -> Reading:
    """Any text as at most ``most`` pairs: each token, and the one that follows it as its target.

    The text is cleaned as the training text was. Symbols outside the vocabulary become ``<unk>``, or are left out where there
    is none. ``ValueError`` with a sentence when fewer than two tokens are left: one to read, one to predict.
    """
    known, notices = _in_vocabulary(clean(text[:LONGEST], cleaning), tokenizer)
    ids = known[: most + 1]
    if len(ids) < 2:
        raise ValueError(sentences(*notices, _("A step reads one token and predicts the next: at least two are needed.")))
    if len(known) > len(ids):
        notices.append(_("Only the first {most} of {tokens} tokens are drawn.", most=most, tokens=f"{len(known):,}"))
    return Reading(ids[:-1], ids[1:], tuple(notices))


def read_window(stream: Stream, T: int, number: int = 0) -> Reading:
    """T tokens of a text, or all there are. Number 0 is the most varied of its first few windows (a row of blanks shows
    nothing), the others follow it, and after the last comes the first again."""
    T = min(T, len(stream))
    starts = range(0, len(stream) - T + 1, T)
    first = starts.index(most_varied(stream.inputs, starts[:CHOICE], T))
    start = starts[(first + number) % len(starts)]
    return Reading(stream.inputs[start : start + T], stream.targets[start : start + T])


def _in_vocabulary(text: str, tokenizer: Tokenizer) -> tuple[Integer[np.ndarray, " L"], list[str]]:
    """The ids of a text's symbols without those that have none, and what was done, in words."""
    missing = tokenizer.unknown_symbols(text)
    if not missing:
        return tokenizer.encode(text), []
    n = len(missing)
    if tokenizer.unknown is not None:
        became = ngettext(
            "{many} symbol of this text is not in the vocabulary and became <unk>.",
            "{many} symbols of this text are not in the vocabulary and became <unk>.",
            n,
            many=f"{n:,}",
        )
        return tokenizer.encode(text), [became]
    lost = set(missing)
    kept = [symbol for symbol in split(text, tokenizer.unit) if symbol not in lost]
    joint = "" if tokenizer.unit == "char" else " "
    left_out = ngettext(
        "{many} symbol of this text is not in the vocabulary and left out.",
        "{many} symbols of this text are not in the vocabulary and left out.",
        n,
        many=f"{n:,}",
    )
    return tokenizer.encode(joint.join(kept)), [left_out]


@dataclass(frozen=True, eq=False)
class Unrolled:
    """A forward pass over T tokens from a state of zeros, float64. ``h[t]`` is the state after t tokens.

    ``from_input + from_memory + bias = a`` and ``h[1:] = phi(a)``: what the token, the last state and the bias give to each
    unit's pre-activation. ``p`` are the probabilities of the next token; ``losses`` what its target cost, in nats.
    """

    tokens: Integer[np.ndarray, " T"]
    targets: Integer[np.ndarray, " T"]
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
        """ln P of the targets up to each, given the first token: by the product rule the sum of the ln p of every step."""
        return -np.cumsum(self.losses)

    @property
    def mean_losses(self) -> Float[np.ndarray, " T"]:
        """Mean loss of the steps up to each, nats per token."""
        return -self.log_likelihoods / np.arange(1, len(self.losses) + 1)

    @property
    def running_perplexity(self) -> list[float]:
        """Perplexity of the steps up to each."""
        return [perplexity(self.losses[: t + 1]) for t in range(len(self.losses))]

    @property
    def shares(self) -> Float[np.ndarray, "T 3"]:
        """What part of the sum of absolute addends, over all units, comes from input, memory and bias; rows sum to one."""
        sizes = [np.abs(part).sum(axis=-1) for part in (self.from_input, self.from_memory)]
        sizes.append(np.full_like(sizes[0], np.abs(self.bias).sum()))
        with np.errstate(all="ignore"):
            return np.stack(sizes, axis=-1) / sum(sizes)[:, None]


def exponentials(scores: Float[np.ndarray, " V"]) -> tuple[Float[np.ndarray, " V"], bool]:
    """exp of the scores, and whether the largest score was taken from all of them, without which it could not be read."""
    highest = float(scores.max())
    shifted = not abs(highest) <= LARGEST_EXP
    with np.errstate(all="ignore"):
        return np.exp(scores - highest if shifted else scores), shifted


def unroll(
    params: Params, tokens: Integer[np.ndarray, " T"], targets: Integer[np.ndarray, " T"], *, activation: str = "tanh"
) -> Unrolled:
    """The forward pass over ``tokens`` with everything a step is made of. ``ValueError`` as ``forward`` raises."""
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
    """a_t = x_t W_xh + h_(t-1) W_hh + b_h of every step: what phi was taken of."""
    with np.errstate(all="ignore"):
        return input_layer(trace.params, trace.tokens) + trace.h[:-1] @ trace.params.W_hh


def liveliest(h: Float[np.ndarray, "T H"], count: int) -> Integer[np.ndarray, " units"]:
    """The ``count`` units (or all H) whose state varies most over time, in the order of their numbers."""
    with np.errstate(all="ignore"):
        spread = np.nan_to_num(h.std(axis=0), nan=-1.0)
    return np.sort(np.argsort(-spread, kind="stable")[:count])


def highest_first(h: Float[np.ndarray, "T H"], count: int) -> Integer[np.ndarray, " units"]:
    """The ``count`` :func:`liveliest` units, the one with the highest mean state first."""
    units = liveliest(h, count)
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
    """The correlation of each unit's state over time with a series; 0 where there is none."""
    with np.errstate(all="ignore"):
        states, series = h - h.mean(axis=0), with_what - np.mean(with_what)
        return np.nan_to_num(series @ states / np.sqrt((states**2).sum(axis=0) * (series**2).sum()))
