"""A trainer with an audience: judged on held-out text, writing samples, remembering moments.

:class:`Watched` iterates like the :class:`~core.training.tbptt.Trainer` inside it; looking never moves training (samples
draw from a random stream of their own, judging reads frozen parameters).
"""

import contextlib
import time
from bisect import insort
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.models.loss import perplexity_of
from core.models.params import Params
from core.models.sampling import RnnReader, generate
from core.models.spectral_radius import scale_to_radius
from core.settings import Settings
from core.text.corpus import Corpus
from core.text.streams import Purpose, generator
from core.training.divergence import Diverged
from core.training.early import EARLY, Early
from core.training.held_out import HeldOut, next_step
from core.training.history import Epochs, Flag, Ghost, History, Moment, Point, serials, thin
from core.training.source import Source
from core.training.tbptt import Trainer, Update

SAMPLE_LENGTH = {"char": 192, "word": 40}  # tokens
GHOST_POINTS = 100
GHOST_NUMBERS = 500_000  # a larger network leaves only its curve: 2 MB each is enough
RADIUS = "spectral_radius"  # of W_hh: the name of a flag that is no setting
SAME_MOVE = 2.0  # seconds between two values of one knob that still are one move


@dataclass(frozen=True)
class View:
    """What there is to see after some update. Perplexities in tokens to choose among, norms of the whole gradient."""

    settings: Settings
    point: Point  # where training stands; its nats are the last update's loss
    judged: Point  # the newest judgement on held-out text (or, without any, on the training text)
    grad_norm: float  # before clipping; nan before the first update
    clipped_norm: float
    sample: str
    sample_update: int

    @property
    def perplexity(self) -> float:
        """By the newest judgement."""
        return perplexity_of(self.judged.nats)


class Watched(Source):
    """Iterate it to train; look at it with :meth:`look`. One thread at a time."""

    def __init__(self, trainer: Trainer, corpus: Corpus, held_out: HeldOut | None = None) -> None:
        self.trainer = trainer
        self.corpus = corpus
        self.held_out = held_out or HeldOut(trainer.settings, corpus)
        self.history = History(Epochs(trainer.updates_per_epoch))
        self.serial = next(serials)
        self._display = generator(trainer.settings.seed, Purpose.DISPLAY)
        self._seconds = 0.0
        self._due = 0  # the update after which somebody is judged next,
        self._turn_of_early = True  # and whether the last one was one of the first networks
        self._early = Early()
        self._by_hand = 0  # how often the network was changed in other ways than by an update
        self._moved_at = -SAME_MOVE
        self.moves: list[Flag] = []  # that can be put back, the newest last
        self._last: Update | None = None
        self._sample, self._sample_update = "", 0
        self._judge()
        self._remember_if_milestone()

    def __next__(self) -> Update:
        """One update; raises what the trainer raises (``Diverged``), after which it can go on."""
        try:
            with self._timed():
                if not self.settled:
                    self._early.keep(self._point(0.0), self.trainer.params, self.settings)
                self._last = update = next(self.trainer)
        except Diverged:
            self._forget_what_was_undone()
            raise
        self.history.add(self._point(update.loss))
        with self._timed():
            if update.step >= self._due:
                self._judge_in_turn()
            self._remember_if_milestone()
        return update

    @property
    def settings(self) -> Settings:
        """The settings of the next update."""
        return self.trainer.settings

    @property
    def step(self) -> int:
        """Updates done so far."""
        return self.trainer.step

    @property
    def progress(self) -> tuple[int, int, bool]:
        """Another one whenever the network is another, or reads in another way: after an update, and when that was changed by
        hand."""
        return self.step, self._by_hand, self.settings.carry_state

    def change(self, **knobs: Any) -> None:
        """Move live knobs; each leaves a flag on the curve. ``ValueError`` for a field that is not live."""
        old = self.settings
        self.trainer.move(**knobs)
        new = self.settings
        for name in new.differing(old):
            self._flag(Flag(self._point(0.0), name, getattr(old, name), getattr(new, name)))

    def scale_to_radius(self, radius: float) -> None:
        """Give W_hh this spectral radius, and leave a flag. A W_hh that no factor can give it is left as it is."""
        with contextlib.suppress(ValueError):
            old = scale_to_radius(self.trainer.params.W_hh, radius)
            self._by_hand += 1
            self._flag(Flag(self._point(0.0), RADIUS, float(f"{old:.4g}"), radius))

    def undo(self) -> None:
        """Put the knob that was moved last back to where it was (the spectral radius too, but not what was learnt since); once
        more, and the one moved before it. Each leaves a flag of its own."""
        if not self.moves:
            return
        last, rest = self.moves[-1], self.moves[:-1]
        self._moved_at = -SAME_MOVE
        if last.name == RADIUS:
            self.scale_to_radius(last.old)
        else:
            self.change(**{last.name: last.old})
        self._moved_at, self.moves = -SAME_MOVE, rest

    @property
    def settled(self) -> bool:
        """Whether the newest judgement is of the network as it is now."""
        return self._judged == self.progress

    def settle(self) -> None:
        """Judge here too, out of turn: somebody looks at this very network."""
        if not self.settled:
            with self._timed():
                self._judge()

    def catch_up(self) -> bool:
        """Judge one of the first networks that still waits; whether there was one."""
        kept = self._early.take(self.history.judged)
        if kept:
            insort(self.history.judged, kept.point._replace(nats=self.held_out.judge(kept.params, kept.settings)))
        return kept is not None

    def refresh(self) -> None:
        """Write a new sample, unless the network's numbers are no longer finite: then the last one stays."""
        with contextlib.suppress(ValueError):
            self._sample, self._sample_update = self._write(), self.trainer.step

    def look(self) -> View:
        """What there is to see now."""
        last = self._last
        return View(
            settings=self.trainer.settings,
            point=self._point(last.loss if last else float("nan")),
            judged=self.history.judged[-1],
            grad_norm=last.grad_norm if last else float("nan"),
            clipped_norm=last.clipped_norm if last else float("nan"),
            sample=self._sample,
            sample_update=self._sample_update,
        )

    def ghost(self) -> Ghost:
        """What stays of this run when another takes its place. Between two updates only."""
        tokenizer, points = self.corpus.tokenizer, thin(self.history.judged, GHOST_POINTS, min(EARLY, GHOST_POINTS // 2))
        return Ghost(self.settings, tokenizer.size, tuple(points), _kept(self.trainer.params), tokenizer, self.serial)

    def _point(self, nats: float) -> Point:
        trainer = self.trainer
        return Point(trainer.step, trainer.tokens, self._seconds, nats, trainer.step / trainer.updates_per_epoch)

    @contextmanager
    def _timed(self) -> Iterator[None]:
        """Count what happens inside as time spent computing."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self._seconds += time.perf_counter() - began

    def _judge_in_turn(self) -> None:
        """Judge the network as it is now or, every second time as long as there are any, one of the first updates."""
        self._turn_of_early = self.step > EARLY and not self._turn_of_early and self.catch_up()
        if self._turn_of_early:
            self._due = next_step(self.step, self.held_out.cost)
        else:
            self._judge()

    def _judge(self) -> None:
        nats = self.held_out.judge(self.trainer.params, self.trainer.settings)
        self.history.judged.append(self._point(nats))
        self._judged = self.progress
        self._due = next_step(self.step, self.held_out.cost)

    def _forget_what_was_undone(self) -> None:
        """The trainer has gone back: what was seen of the updates since then did not happen."""
        step, history = self.trainer.step, self.history
        self._by_hand += 1
        self._early.forget_after(step)
        history.forget_after(step)
        history.flags[:] = [flag for flag in history.flags if flag.name != RADIUS or flag.point.update <= step]
        self.moves = [move for move in self.moves if move.name != RADIUS or move.point.update <= step]
        self._due = min(self._due, step + 1)

    def _remember_if_milestone(self) -> None:
        """Keep a moment after updates 0, 10, 100, 1000 ..."""
        step, moments = self.trainer.step, self.history.moments
        if step == (10 ** len(moments) if moments else 0):
            self.refresh()
            moments.append(Moment(step, self.trainer.params.frozen_copy(), self._sample))

    def _write(self) -> str:
        if not self.corpus.is_text:  # what it predicts is not what comes next
            return ""
        reader = RnnReader(self.trainer.params, self.trainer.settings.activation)
        tokenizer = self.corpus.tokenizer
        start = self._display.integers(tokenizer.size, size=1)
        ids = generate(reader, prompt=start, length=SAMPLE_LENGTH[tokenizer.unit], temperature=1.0, rng=self._display)
        return tokenizer.decode(ids)

    def _flag(self, flag: Flag) -> None:
        """Add a flag; the values of one knob while it is dragged are one move."""
        flags, now = self.history.flags, time.perf_counter()
        if flags and flags[-1].name == flag.name and now - self._moved_at < SAME_MOVE:
            flag = replace(flags.pop(), new=flag.new)
            self.moves = self.moves[:-1]
        self._moved_at = now
        if flag.old != flag.new:
            flags.append(flag)
            self.moves = [*self.moves, flag]


def _kept(params: Params) -> Params | None:
    """A read-only copy in float32, or None of a network that is too large."""
    return params.copy(np.float32).frozen_copy() if params.flat.size <= GHOST_NUMBERS else None
