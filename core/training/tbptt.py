"""Truncated backpropagation through time, as an iterator of updates. No thread, no screen.

``for update in Trainer(settings, load_corpus(settings))`` goes on until it is stopped.
Source: D2L 8.5 and 8.7 (the state is carried from window to window, the gradient is not); Deep Learning from Scratch 2, 5.5.
"""

import math
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from core.config.settings import Settings
from core.models.initialisation import first_params
from core.models.loss import perplexity_of
from core.models.rnn import Workspace, backward, forward
from core.text.corpus import Corpus
from core.text.token_stream import Windows
from core.training.memory import check_memory
from core.training.nonfinite_guard import Diverged, LastGood, copied, put_back
from core.training.optimizers import apply_weight_decay, clip_by_global_norm, make_optimizer, rate_at


class Update(NamedTuple):
    """One update: its number, counted from 1, and what it saw before it moved the parameters."""

    step: int
    epoch: float  # passes over the training text, this update included
    tokens: int  # read so far, this update included
    loss: float  # mean over this window, nats per token
    perplexity: float
    grad_norm: float  # length of the whole gradient before clipping
    clipped_norm: float  # and after
    learning_rate: float  # in force: what the schedule left of it


class Trainer:
    """Iterate it: every item is one :class:`Update`. Between items, read ``params``, ``h``, ``settings``, ``step``, ``tokens``.

    ``params`` is always the same object, changed in place. ``h`` (N, H) is the state after the last window.
    ``frozen``: names of weights that stay as they began. ``first``: the state of another trainer that began so, if there is one;
    it is read, and never changed. ``ValueError`` when the text is shorter than one window or the run would not fit into memory.
    """

    def __init__(
        self, settings: Settings, corpus: Corpus, frozen: Collection[str] = (), first: Mapping[str, Any] | None = None
    ) -> None:
        V = corpus.tokenizer.size
        check_memory(settings, V)
        self.settings = settings
        self._windows = Windows(corpus.train, settings.batch_size, settings.num_steps)
        self.updates_per_epoch = self._windows.updates_per_epoch
        self.params = first_params(settings, V, first and first["params"])
        self._frozen = frozen
        self._decaying = [array for name, array in self.params.named().items() if name not in frozen]
        self._workspace: Workspace | None = None
        self._optimizer = make_optimizer(settings.optimizer, self.params.flat.size, self.params.dtype)
        self.h: Float[np.ndarray, "N H"] = np.zeros((settings.batch_size, settings.hidden_size), self.params.dtype)
        self.step = 0  # updates done so far
        self._longest = math.sqrt(np.finfo(self.params.dtype).max) / 1000  # an optimiser sums the squares of many gradients
        memory = {f"optimizer.{name}": array for name, array in self._optimizer.state.items()}
        self._arrays = {"params": self.params.flat, "h": self.h, **memory}  # all that an update changes
        self._good = LastGood(self._arrays, first, step=0, position=self._windows.position)

    def move(self, **knobs: Any) -> None:
        """Go on with live knobs moved, from the next update. ``ValueError`` if one is not live or not valid."""
        self.settings = self.settings.moved(**knobs)

    @property
    def tokens(self) -> int:
        """Tokens read so far."""
        return self.step * self.settings.batch_size * self.settings.num_steps

    def __iter__(self) -> "Trainer":
        return self

    def __next__(self) -> Update:
        """Do one update. Raises :class:`Diverged` instead of going on from numbers that are not finite."""
        settings, position, failed = self.settings, self._windows.position, self.step + 1
        rate = rate_at(settings, self.step)
        inputs, targets = next(self._windows)
        h0 = self.h if settings.carry_state else None
        self._workspace = workspace = self._workspace or Workspace(self.params, *inputs.shape)
        with np.errstate(all="ignore"):
            trace = forward(self.params, inputs, h0, activation=settings.activation, workspace=workspace)
            gradients = backward(trace, targets, truncation=settings.truncation, workspace=workspace)
            for name in self._frozen:  # so clipping does not count its gradient, and no optimiser moves it
                getattr(gradients.params, name).fill(0)
            loss = float(gradients.losses.sum(dtype=np.float64)) / gradients.losses.size
            before = clip_by_global_norm(gradients.params.flat, settings.clip_norm)
            after = min(before, settings.clip_norm) if settings.clip_norm else before
            if not (math.isfinite(loss) and math.isfinite(before) and after < self._longest):
                self.restore(self._good.state)
                raise Diverged(failed, self.step)
            self._good.take(step=self.step, position=position)
            apply_weight_decay(self._decaying, rate * settings.weight_decay)
            self._optimizer.step(self.params.flat, gradients.params.flat, rate)
        self.h[...] = trace.h[-1]
        self.step += 1
        return Update(
            step=self.step,
            epoch=self.step / self.updates_per_epoch,
            tokens=self.tokens,
            loss=loss,
            perplexity=perplexity_of(loss),
            grad_norm=before,
            clipped_norm=after,
            learning_rate=rate,
        )

    def release_buffers(self) -> None:
        """Free the arrays of forward and backward until the next update."""
        self._workspace = None

    def state(self) -> dict[str, Any]:
        """All that is needed to go on bit for bit: copies of arrays, and integers. Inverse of :meth:`restore`."""
        return copied(self._arrays, step=self.step, position=self._windows.position)

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a state of a run with the same settings and text. ``ValueError`` if it does not fit."""
        self.step, self._windows.position = put_back(state, self._arrays, "step", "position")
        self._good.take(step=self.step, position=self._windows.position)
