"""Judgements: the loss on held-out text, read in windows as in training, and the updates after which a run is judged."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from core.config.settings import Settings
from core.models.loss import cross_entropy
from core.models.ngram import NgramModel
from core.models.rnn import Params, Workspace, forward
from core.text.corpus import Corpus, Stream

MAX_JUDGED_TOKENS = 8_192  # judged at most, so a judgement costs few updates, and the curve has many points
JUDGED_ROWS = 32  # sequences read in parallel, at most: more rows are faster, fewer rows start less often from a zero state
WIDTH = 64  # tokens of each sequence, at least
WINDOWS = 48  # a training text of at most so many windows is judged in ``batch_size`` rows
EARLY_UPDATES = 30  # up to this update almost every network is judged, as the loss changes fast
MOST_EARLY = 50  # updates between two judgements that follow each other closely
TRAINED_PER_JUDGED = 4  # later at least so many tokens are trained on for each judged token
FEWEST_PER_CURVE = 256  # the gap between judgements is at least the updates so far divided by this
FEWEST_BLOCKS = 8  # for a standard error
NOISE_ERRORS = 2.0  # standard errors: a normal variable is farther from its mean in 5 % of cases


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
    so all runs on it can be compared; but a short training text is judged in ``batch_size`` rows, as in training. Every row
    begins with a zero state; its windows of ``num_steps`` (the last may be shorter) carry the state or reset it, as in training.
    """

    def __init__(self, settings: Settings, corpus: Corpus, max_tokens: int = MAX_JUDGED_TOKENS) -> None:
        self.on_training_text = corpus.held_out is None or len(corpus.held_out) == 0
        self.source: Stream = corpus.train if self.on_training_text else corpus.held_out
        available, N, T = min(len(self.source), max_tokens), settings.batch_size, settings.num_steps
        as_in_training = self.on_training_text and available <= WINDOWS * N * T
        self.rows = min(N, available) if as_in_training else rows_for(available)
        width = available // self.rows
        self._blocks_per_row = min(math.ceil(FEWEST_BLOCKS / self.rows), width)  # so many that there is a standard error
        width -= width % self._blocks_per_row
        starts = np.arange(self.rows) * (len(self.source) // self.rows)  # of the rows, as in training
        places = starts[:, None] + np.arange(width)
        self.positions: Int[np.ndarray, " tokens"] = places.ravel()
        self._num_steps = T
        self._gap = math.ceil(TRAINED_PER_JUDGED * places.size / (N * T))
        windows = [np.ascontiguousarray(places[:, start : start + T].T) for start in range(0, width, T)]
        self._windows = [(self.source.inputs[window], self.source.targets[window]) for window in windows]

    @property
    def tokens(self) -> int:
        """The number of judged tokens."""
        return len(self.positions)

    def next_update(self, update: int) -> int:
        """The update of the next judgement, after one at ``update``: almost every one up to EARLY; later the gap grows with the
        tokens that a judgement reads, compared with an update, and with the updates so far."""
        gap = max(1, min(update // 10, MOST_EARLY))
        if update >= EARLY_UPDATES:
            gap = max(gap, self._gap, update // FEWEST_PER_CURVE)
        return update + gap

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
        """The mean loss of every block, for a standard error. Blocks are whole rows, or equal parts of few rows."""
        *_pieces, judgement = self.judging(params, settings)
        return judgement

    def judging(self, params: Params, settings: Settings) -> Iterator[Judgement | None]:
        """A judgement in pieces: yields None after each window, the judgement at last. ``params`` must not change meanwhile."""
        read = []
        for nats in self.losses(params, settings):
            read.append(nats.astype(np.float64))
            yield None
        blocks = np.concatenate(read).T.reshape(self.rows * self._blocks_per_row, -1)
        yield Judgement(blocks.mean(axis=1), blocks.shape[1])

    def losses(self, params: Params, settings: Settings) -> Iterator[Float[np.ndarray, "T rows"]]:
        """-ln p of every judged token, in nats, a window of all rows at a time, in total (width, rows); ``judge`` is their mean.

        A generator, so that callers can release the compute lock between two windows; ``params`` must not change.
        """
        h, workspace = None, Workspace()
        for inputs, targets in self._windows:
            trace = forward(params, inputs, h, activation=settings.activation, workspace=workspace)
            yield cross_entropy(trace.logits, targets)
            h = trace.h[-1] if settings.carry_state else None


def rows_for(tokens: int) -> int:
    """The number of rows to read in parallel."""
    return max(1, min(JUDGED_ROWS, tokens // WIDTH))
