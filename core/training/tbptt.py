"""Truncated backpropagation through time, as an iterator of updates, without threads or user interface.

``for update in Trainer(settings, load_corpus(settings))`` trains until the loop ends.
Source: D2L 8.5 and 8.7 (the state is carried from window to window, the gradient is not); Deep Learning from Scratch 2, 5.5.
"""

import math
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from core.config.language import lazy_gettext
from core.config.settings import KNOBS, Settings
from core.models.initialisation import first_params
from core.models.loss import perplexity_of
from core.models.rnn import Workspace, backward, forward
from core.text.corpus import Corpus
from core.text.token_stream import Windows
from core.training.curves import Point
from core.training.optimizers import apply_weight_decay, clip_by_global_norm, make_optimizer, rate_at


class Update(NamedTuple):
    """One update: its number, counted from 1, and the values computed before it changed the parameters. A checkpoint has these
    numbers in this order."""

    step: int
    loss: float  # mean over this window, nats per token
    grad_norm: float  # length of the whole gradient before clipping
    clipped_norm: float  # and after
    learning_rate: float  # after the schedule

    @property
    def perplexity(self) -> float:
        """exp(loss)."""
        return perplexity_of(self.loss)


DECAYED = 0.001  # share of a weight
OVERFLOWED = lazy_gettext("Update {step} overflowed: the run is back at update {last}. A smaller rate or clipping helps.")
AGAIN = lazy_gettext("At update {step} the loss or its gradient overflows, whatever the learning rate is.")


class Diverged(ArithmeticError):
    """A loss or gradient was not finite, or too large to be squared.

    The trainer is back at ``last_finite_step`` and can continue from there, unless its next window overflows again (``again``).
    """

    def __init__(self, step: int, last_finite_step: int, *, again: bool = False) -> None:
        super().__init__(lazy_gettext(AGAIN if again else OVERFLOWED, step=step, last=last_finite_step))
        self.step = step
        self.last_finite_step = last_finite_step
        self.again = again


def remedy(settings: Settings, name: str) -> dict[str, float]:
    """Live settings that may help: "halve_rate", "clip" (at 1, or at half of the old norm), or "decay", so that an update takes
    DECAYED of every weight, or twice as much as before."""
    if name == "halve_rate":
        return {"learning_rate": max(settings.learning_rate / 2, KNOBS["learning_rate"].low)}
    if name == "decay":
        decay = 2 * settings.weight_decay or float(f"{DECAYED / settings.learning_rate:.1g}")
        return {"weight_decay": min(decay, KNOBS["weight_decay"].high)}
    return {"clip_norm": min(1.0, settings.clip_norm / 2 or 1.0)}


class Trainer(Iterator[Update]):
    """An iterator: every item is one :class:`Update`. Between items, read ``params``, ``h``, ``settings``, ``step``, ``tokens``.

    ``params`` is always the same object, changed in place. ``h`` (N, H) is the state after the last window.
    ``frozen``: names of weights that keep their initial values. ``first``: the initial state of a trainer with equal settings, to
    be copied; never changed. ``ValueError`` when the text is shorter than one window.
    """

    def __init__(
        self, settings: Settings, corpus: Corpus, frozen: Collection[str] = (), first: Mapping[str, Any] | None = None
    ) -> None:
        V = corpus.tokenizer.size
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
        self._arrays = {"params": self.params.flat, "h": self.h, **memory}  # all arrays that an update changes
        self._shared = first is not None  # whether ``_good`` is the state of another trainer
        self._good = first or self.state()

    def move(self, **knobs: Any) -> None:
        """Change live knobs from the next update on. ``ValueError`` if a knob is not live or its value not valid."""
        self.settings = self.settings.moved(**knobs)

    @property
    def tokens(self) -> int:
        """Tokens read so far."""
        return self.step * self.settings.batch_size * self.settings.num_steps

    def __next__(self) -> Update:
        """Do one update. If the loss or the gradient overflows, restore the last finite state and raise :class:`Diverged`."""
        settings, position, failed = self.settings, self._windows.position, self.step + 1
        rate = rate_at(settings, self.step)
        with np.errstate(all="ignore"):
            h, gradient, loss, before = self._gradient()
            after = min(before, settings.clip_norm) if settings.clip_norm else before
            if not (math.isfinite(loss) and math.isfinite(before) and after < self._longest):
                self.restore(self._good)
                raise Diverged(failed, self.step, again=self.overflows())
            self._remember(position)
            apply_weight_decay(self._decaying, rate * settings.weight_decay)
            self._optimizer.step(self.params.flat, gradient, rate, settings.momentum)
        self.h[...] = h
        self.step += 1
        return Update(self.step, loss, before, after, rate)

    def overflows(self) -> bool:
        """Whether the loss of the next window or its gradient overflows, so that no learning rate helps. Changes nothing."""
        position = self._windows.position
        with np.errstate(all="ignore"):
            _h, _gradient, loss, norm = self._gradient()
        self._windows.position = position
        return not (math.isfinite(loss) and math.isfinite(norm))

    def _gradient(self) -> tuple[Float[np.ndarray, "N H"], Float[np.ndarray, " size"], float, float]:
        """Read the next window: the state after it, the clipped gradient, the mean loss in nats, the norm before clipping."""
        settings, (inputs, targets) = self.settings, next(self._windows)
        h0 = self.h if settings.carry_state else None
        self._workspace = workspace = self._workspace or Workspace()
        trace = forward(self.params, inputs, h0, activation=settings.activation, workspace=workspace)
        gradients = backward(trace, targets, truncation=settings.truncation, workspace=workspace)
        for name in self._frozen:  # so clipping does not count its gradient, and no optimiser moves it
            getattr(gradients.dparams, name).fill(0)
        loss = float(gradients.losses.sum(dtype=np.float64)) / gradients.losses.size
        return trace.h[-1], gradients.dparams.flat, loss, clip_by_global_norm(gradients.dparams.flat, settings.clip_norm)

    def point(self, nats: float, seconds: float = 0.0, step: int | None = None) -> Point:
        """The point of a curve at an update (None: the last one) with this loss, in nats per token."""
        step = self.step if step is None else step
        tokens = step * self.settings.batch_size * self.settings.num_steps
        return Point(step, tokens, seconds, nats, step / self.updates_per_epoch)

    def release_buffers(self) -> None:
        """Free the arrays of forward and backward until the next update."""
        self._workspace = None

    def state(self) -> dict[str, Any]:
        """The state from which training continues bit for bit: copies of arrays, and integers. Inverse of :meth:`restore`."""
        copies = {name: array.copy() for name, array in self._arrays.items()}
        return copies | {"step": self.step, "position": self._windows.position}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore the state of a run with the same settings and text. ``ValueError`` if the shapes do not fit."""
        wrong = [name for name, array in self._arrays.items() if np.shape(state.get(name)) != array.shape]
        if wrong or not {"step", "position"} <= state.keys():
            raise ValueError(f"This state is of another network: {', '.join(wrong) or 'step or position'} does not fit.")
        for name, array in self._arrays.items():
            np.copyto(array, state[name])
        self.step, self._windows.position = int(state["step"]), int(state["position"])
        self._remember(self._windows.position)

    def _remember(self, position: int) -> None:
        """Copy the current state into ``_good``, in place unless that is the state of another trainer."""
        if self._shared:
            self._good, self._shared = self.state(), False
        for name, array in self._arrays.items():
            np.copyto(self._good[name], array)
        self._good |= {"step": self.step, "position": position}
