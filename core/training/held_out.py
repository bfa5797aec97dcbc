"""Judgements: the loss on held-out text, read in windows as in training, and the schedule of the updates to judge.

A judgement costs more than an update. With few judgements of the first updates the curve would be a straight line there, so
their networks are copied and judged later.
"""

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from core.config.settings import Settings
from core.models.loss import cross_entropy
from core.models.ngram import NgramModel
from core.models.rnn import Params, Workspace, forward
from core.text.corpus import Corpus, Stream
from core.training.curves import Point

MAX_TOKENS = 8_192  # judged at most, so a judgement costs few updates, and the curve has many points
ROWS = 32  # sequences read in parallel, at most
WIDTH = 64  # tokens of each sequence, at least, if the state is carried
AFFORDABLE = 16.0  # updates that a judgement of the training text in ``batch_size`` rows may cost
AT_FIRST, SHARE = 1.1, 0.06  # coefficients of the cost allowed for judgements: see next_step
FEWEST_PER_CURVE = 256  # the gap between judgements is at least the updates so far divided by this
FEWEST_BLOCKS = 8  # for a standard error
NOISE_ERRORS = 2.0  # standard errors: a normal variable is farther from its mean in 5 % of cases
EARLY = 30  # up to this update every network is judged, at once or later
NUMBERS = 5_000_000  # parameters of all pending networks (20 MB in float32): fewer large networks can be pending


class Judgement(NamedTuple):
    """The loss of a network on a part of a text: ``rows`` (B,) are the mean losses of B blocks of ``width`` tokens each, in nats.

    Losses of neighbouring tokens are dependent; blocks of equal length that lie far apart are nearly independent. Source:
    Carlstein 1986, The use of subseries values for estimating the variance of a general statistic from a stationary sequence.
    """

    rows: Float[np.ndarray, " B"]
    width: int

    @property
    def nats(self) -> float:
        """Mean loss over all tokens."""
        return float(self.rows.mean())

    @property
    def error(self) -> float:
        """The standard error of ``nats``; nan for fewer than FEWEST_BLOCKS blocks."""
        return standard_error(self.rows)

    def within_noise(self, other: "Judgement") -> bool:
        """Whether two networks differ by noise only on the same tokens: the mean of the paired differences is at most
        NOISE_ERRORS standard errors from 0. False if the blocks are too few, or differ in number or width."""
        if (len(self.rows), self.width) != (len(other.rows), other.width):
            return False
        differences = self.rows - other.rows
        return bool(abs(differences.mean()) <= NOISE_ERRORS * standard_error(differences))


def standard_error(means: Float[np.ndarray, " B"]) -> float:
    """The standard error of the mean over B blocks, given the mean of each block; nan for fewer than FEWEST_BLOCKS blocks."""
    return float(np.std(means, ddof=1)) / math.sqrt(len(means)) if len(means) >= FEWEST_BLOCKS else math.nan


class HeldOut:
    """Judge networks on a fixed selection of tokens: rows spread evenly over the held-out text, or over the training text if
    nothing is held out.

    ``positions`` (tokens,) are the indices of the judged pairs in ``source``. Other models are judged on the same pairs, and only
    with the context of the network: the tokens that it has read since its state was zero. The positions depend on the text alone,
    so runs can be compared; but rows are whole windows if the state is reset or the training text is judged, and a short training
    text is judged in ``batch_size`` rows. Every row begins with a zero state; its windows of ``num_steps`` carry the state or
    reset it, as in training.
    """

    def __init__(self, settings: Settings, corpus: Corpus, max_tokens: int = MAX_TOKENS) -> None:
        self.on_training_text = corpus.held_out is None or len(corpus.held_out) == 0
        self.source: Stream = corpus.train if self.on_training_text else corpus.held_out
        available = min(len(self.source), max_tokens)
        V, N, T = corpus.tokenizer.size, settings.batch_size, settings.num_steps
        # As many rows as in training, unless so few take too long.
        as_in_training = self.on_training_text and cost_in_updates(available, N, settings, V) <= AFFORDABLE
        self.rows = min(N if as_in_training else rows_for(available, settings), available)
        width = available // self.rows
        if self.on_training_text or not settings.carry_state:
            width -= width % T if width > T else 0  # whole windows, if there is at least one
        starts = np.arange(self.rows) * (len(self.source) // self.rows)  # of the rows, as in training
        places = starts[:, None] + np.arange(width)
        self.positions: Int[np.ndarray, " tokens"] = places.ravel()
        self._num_steps = T
        windows = [np.ascontiguousarray(places[:, start : start + T].T) for start in range(0, width, T)]
        self._windows = [(self.source.inputs[window], self.source.targets[window]) for window in windows]
        self.cost = cost_in_updates(self.tokens, self.rows, settings, V)  # estimated

    @property
    def tokens(self) -> int:
        """The number of judged tokens."""
        return len(self.positions)

    def counted_losses(self, counted: NgramModel, carry_state: bool) -> list[Float[np.ndarray, " tokens"]]:
        """-ln p of every judged token for each order of the n-gram model, in nats, given only the tokens that the network has
        read since its state was zero."""
        columns = np.arange(self.tokens // self.rows)
        known = np.zeros(len(self.source), np.int64)
        known[self.positions] = np.tile(1 + (columns if carry_state else columns % self._num_steps), self.rows)
        return [nats[self.positions] for nats in counted.losses(self.source, known)]

    @property
    def judged(self) -> Stream:
        """The judged pairs of input and target, for other models."""
        return Stream(self.source.inputs[self.positions], self.source.targets[self.positions])

    def judge(self, params: Params, settings: Settings) -> float:
        """Mean loss over all judged tokens, in nats per token; perplexity is its exponential. Forward only."""
        return self.judgement(params, settings).nats

    def judgement(self, params: Params, settings: Settings) -> Judgement:
        """The mean loss of every row, for a standard error: rows are equally long and far apart."""
        width = self.tokens // self.rows
        return Judgement(sum(nats.sum(axis=0, dtype=np.float64) for nats in self.losses(params, settings)) / width, width)

    def losses(self, params: Params, settings: Settings) -> Iterator[Float[np.ndarray, "T rows"]]:
        """-ln p of every judged token, in nats, a window of all rows at a time, in total (width, rows); ``judge`` is their mean.

        A generator, so that callers can release the compute lock between two windows; ``params`` must not change.
        """
        h, workspace = None, Workspace(params, len(self._windows[0][0]), self.rows)
        for inputs, targets in self._windows:
            trace = forward(params, inputs, h, activation=settings.activation, workspace=workspace)
            yield cross_entropy(trace.logits, targets)
            h = trace.h[-1] if settings.carry_state else None


class Pending(NamedTuple):
    """A network that waits to be judged: its point on the curve, its parameters, and the settings to judge it with."""

    point: Point
    params: Params
    settings: Settings


class PendingEvaluations:
    """The networks of the first updates that wait to be judged."""

    def __init__(self) -> None:
        self._pending: list[Pending] = []

    def add(self, point: Point, params: Params, settings: Settings) -> None:
        """Copy the network of one of the first updates, if there is room for it."""
        if 0 < point.update <= EARLY and len(self._pending) < room_for(params.flat.size):
            self._pending.append(Pending(point, params.frozen_copy(), settings))

    def pop_farthest(self, judged: Sequence[Point]) -> Pending | None:
        """Remove and return the network farthest from all judged points on a logarithmic axis, to fill the largest gap."""
        known = [math.log1p(point.update) for point in judged if point.update <= 2 * EARLY]
        gaps = [min(abs(math.log1p(one.point.update) - place) for place in known) for one in self._pending]
        return self._pending.pop(gaps.index(max(gaps))) if gaps else None

    def forget_after(self, update: int) -> None:
        """Remove the networks of later updates, after the run is restored to ``update``."""
        self._pending = [one for one in self._pending if one.point.update <= update]


def room_for(size: int) -> int:
    """The number of networks with ``size`` parameters that can be pending at a time."""
    return min(EARLY, NUMBERS // size)


def rows_for(tokens: int, settings: Settings) -> int:
    """The number of rows to read in parallel: more rows are faster, fewer rows start less often from a zero state."""
    width = WIDTH if settings.carry_state else 8 * settings.num_steps
    return max(1, min(ROWS, tokens // width))


def next_step(step: int, cost: float) -> int:
    """The step of the next judgement, after one at ``step``, when each costs as much as ``cost`` updates.

    Up to step s all judgements after the first may cost AT_FIRST * log(1 + s) + SHARE * s updates: more at first, while the loss
    changes fast, but only about a tenth of the first 100 updates, and 6 % in the long run. The gaps grow with the step up to
    cost / SHARE; much later they grow again, since a curve on a screen needs no more points.
    """
    target = _allowance(step) + cost
    far = step + math.ceil(cost / SHARE) + 1  # by then the linear part alone covers the cost
    due = bisect_left(range(far + 1), target, lo=step + 1, key=_allowance)
    return max(due, step + step // FEWEST_PER_CURVE)


def _allowance(step: int) -> float:
    return AT_FIRST * math.log1p(step) + SHARE * step


def cost_in_updates(tokens: int, rows: int, settings: Settings, vocab_size: int) -> float:
    """The cost of a forward pass over ``tokens``, in updates: estimated from sizes, so it is equal on every machine."""
    T, N = settings.num_steps, settings.batch_size
    windows = math.ceil(tokens / (rows * T))
    return windows * _cost(T, rows, settings, vocab_size, 1) / _cost(T, N, settings, vocab_size, 3)


def _cost(T: int, N: int, settings: Settings, V: int, products: int) -> float:
    """The approximate microseconds per window: calls, then multiplications. ``products`` is 1 for reading and 3 for training.

    The constants are those of one machine; only ratios of results are used.
    """
    H, D = settings.hidden_size, settings.embedding_size
    calls = products * (10 + 0.8 * T)
    return calls + products * T * N * H * (H + V + D) / 40_000
