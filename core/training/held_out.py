"""Perplexity on text that training never saw, in the mode the network is trained in; and when it is worth its cost."""

import math

import numpy as np

from core.models.loss import exp_and_losses, flat_index
from core.models.rnn import Params, Workspace, forward
from core.settings import Settings
from core.text.batches import contiguous_windows
from core.text.corpus import Corpus, Stream

MAX_TOKENS = 16_384
ROWS = 64  # sequences read side by side at most
SHARE = 0.05  # of the compute that judging may take in the long run
GROWTH = 0.8  # the gap between early judgements, as a share of the updates so far
PATIENCE = 256  # a gap is never shorter than this part of the updates so far


class HeldOut:
    """Judges one fixed stretch of text: the first ``max_tokens`` of the held-out text, or of the training text without one.

    ``stream`` is exactly what is judged, so that other models can be judged on the same tokens. Contiguous windows of
    ``num_steps``, the state carried on or reset as in training; every row begins with a zero state.
    """

    def __init__(self, settings: Settings, corpus: Corpus, max_tokens: int = MAX_TOKENS, rows: int | None = None) -> None:
        self.on_training_text = corpus.held_out is None or len(corpus.held_out) == 0
        source = corpus.train if self.on_training_text else corpus.held_out
        available = min(len(source), max_tokens)
        self.rows = rows or rows_for(available, settings.num_steps)
        width = available // self.rows
        if width > settings.num_steps:
            width -= width % settings.num_steps  # whole windows only: a shorter last one would be another mode
        self.stream: Stream = _first(source, self.rows * width)
        self._windows = list(contiguous_windows(self.stream, self.rows, settings.num_steps))
        self._workspace: tuple[Workspace, np.ndarray] | None = None

    @property
    def tokens(self) -> int:
        """How many tokens are judged."""
        return len(self.stream)

    def judge(self, params: Params, settings: Settings) -> float:
        """Mean loss over all judged tokens, in nats per token; perplexity is its exponential. Forward only."""
        total, h = 0.0, None
        for inputs, targets in self._windows:
            workspace, scratch = self._space(params, inputs.shape)
            trace = forward(params, inputs, h, activation=settings.activation, workspace=workspace)
            V = params.vocab_size
            with np.errstate(all="ignore"):
                losses, _ = exp_and_losses(trace.logits.reshape(-1, V), flat_index(targets, V), scratch)
            total += float(losses.sum(dtype=np.float64))
            h = trace.h[-1] if settings.carry_state else None
        return total / self.tokens

    def _space(self, params: Params, shape: tuple[int, int]) -> tuple[Workspace, np.ndarray]:
        if self._workspace is None or self._workspace[0].shape != shape:
            scratch = np.empty((shape[0] * shape[1], params.vocab_size), params.dtype)
            self._workspace = Workspace(params, *shape), scratch
        return self._workspace


def rows_for(tokens: int, num_steps: int) -> int:
    """How many sequences to read side by side: many are faster, few begin less often with an empty state."""
    return max(1, min(ROWS, tokens // (8 * num_steps)))


def _first(stream: Stream, tokens: int) -> Stream:
    return Stream(stream.inputs[:tokens], stream.targets[:tokens])


def next_due(step: int, held_out: HeldOut, settings: Settings) -> int:
    """The update after which to judge next, having judged after update ``step``."""
    return next_step(step, cost_in_updates(held_out.tokens, held_out.rows, settings))


def next_step(step: int, cost: float) -> int:
    """The step of the next judgement when one costs as much as ``cost`` updates.

    Gaps grow with the step, up to the one at which judging takes its share of the compute; much later they grow again,
    since a curve needs no more points.
    """
    affordable = cost / SHARE
    gap = max(min(GROWTH * step, affordable), step / PATIENCE, 1)
    return step + math.ceil(gap)


def cost_in_updates(tokens: int, rows: int, settings: Settings) -> float:
    """What reading ``tokens`` forward costs, in updates."""
    T, N = settings.num_steps, settings.batch_size
    return (tokens / (N * T)) * 0.33
