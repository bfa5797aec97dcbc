"""A trainer with judgements on held-out text, samples, and moments that can be restored.

Monitoring never changes training: samples draw from a random stream of their own, and evaluation only reads the parameters.
"""

import contextlib
import math
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from core.config.language import lazy_gettext
from core.config.settings import Settings
from core.models.initialisation import scale_to_radius
from core.models.loss import perplexity_of
from core.text.corpus import Corpus
from core.training.curves import Epochs, Point, thin
from core.training.diagnosis import Diagnosis, Judged, diagnose
from core.training.held_out import EARLY_UPDATES, HeldOut, Judgement
from core.training.history import GHOST_NUMBERS, GHOST_POINTS, RADIUS, Flag, Ghost, History
from core.training.optimizers import rate_at
from core.training.run.runnable import Runnable
from core.training.snapshots import Beginning, Moment, Moments, View, norms_of, sample_of, serials
from core.training.tbptt import Diverged, Trainer, Update

RATE_IS_ZERO = lazy_gettext("The rate has fallen to zero: nothing more is learnt.")


class MonitoredTrainer(Runnable):
    """An iterator of the updates of a :class:`~core.training.tbptt.Trainer`. Not thread-safe."""

    def __init__(
        self,
        trainer: Trainer,
        corpus: Corpus,
        held_out: HeldOut | None = None,
        history: History | None = None,
        seconds: float = 0.0,
        last: Update | None = None,
        beginning: Beginning | None = None,
    ) -> None:
        """A new run of ``trainer``, or the continuation of one with its ``history``, computing ``seconds`` and ``last`` update.

        ``beginning`` is from a run with the same settings and text: the untrained network is not judged again.
        """
        self.trainer = trainer
        self.corpus = corpus
        self.held_out = held_out or (beginning.held_out if beginning else HeldOut(trainer.settings, corpus))
        self.history = history or History(Epochs(trainer.updates_per_epoch), Moments(trainer.params.flat.nbytes))
        self.serial = next(serials)
        self._seconds = seconds
        self._due = 0  # the update after which the next judgement is made
        self._judged: tuple[int, int, bool] | None = None  # the version of the network in the newest judgement
        self._other_changes = 0  # changes of the network other than updates: scaling of W_hh, returns after divergence
        self._last, self._before_last = last, None  # updates; the trainer goes back by one where it diverges
        self._lowest: Judged | None = None  # the judgement with the lowest loss so far
        self._holds: Mapping[str, float] = {}  # perplexities below which it stops, by the reason
        self._overflows = bool(history) and trainer.overflows()
        trainer.release_buffers()
        self._sample, self._sample_update = "", 0
        if beginning:
            self._note(beginning.judgement, self.network_version)
            self.history.moments.add(beginning.moment)
        else:
            self._note(self.held_out.judgement(trainer.params, trainer.settings), self.network_version)
            self._remember_if_due()
        self.beginning = beginning  # for other runs with equal settings and text; None if opened or branched
        if not history:
            self.history.moments.write_milestones(self.corpus)
            first = self.history.moments.first
            self._sample, self.beginning = first.sample, beginning or Beginning(self.held_out, first, self.judgement)

    def __next__(self) -> Update:
        """Do one update, and judge it if due. Raises ``Diverged`` as the trainer does; iteration can continue afterwards."""
        *_pieces, update = self.pieces()
        return update

    def pieces(self) -> Iterator[Update]:
        """One update and what is due after it, in pieces; each time the update is yielded. See :class:`Runnable`."""
        try:
            with self._timed():
                update = next(self.trainer)
        except Diverged as error:
            self._forget_what_was_undone(again=error.again)
            raise
        self._last, self._before_last, self._overflows = update, self._last, False
        self.history.add(self._point(update.loss))
        yield update
        if update.step >= self._due:
            for _piece in self.judging():
                yield update
        with self._timed():
            self._remember_if_due()
        yield update

    @property
    def settings(self) -> Settings:
        """The settings of the next update."""
        return self.trainer.settings

    @property
    def network_version(self) -> tuple[int, int, bool]:
        """A version of the network that changes with every update, every other change of it, and a change of ``carry_state``."""
        return self.step, self._other_changes, self.settings.carry_state

    def change(self, **knobs: Any) -> None:
        """Move live knobs; each adds a flag to the curve. ``ValueError`` for a field that is not live."""
        old, new = self.settings, self.settings.moved(**knobs)
        moved = new.differing(old)
        for name in moved:
            self._remember_before_move(name)
        self.trainer.move(**knobs)
        for name in moved:
            self.history.move(Flag(self._point(0.0), name, getattr(old, name), getattr(new, name)))
        self._diagnose_anew()

    def scale_to_radius(self, radius: float) -> None:
        """Scale W_hh to this spectral radius, and add a flag. No effect if no factor gives this radius."""
        self._remember_before_move(RADIUS)
        with contextlib.suppress(ValueError):
            old = scale_to_radius(self.trainer.params.W_hh, radius)
            self._other_changes += 1
            self.history.move(Flag(self._point(0.0), RADIUS, float(f"{old:.4g}"), radius))
        self._diagnose_anew()

    def undo(self) -> None:
        """Undo the last move of a knob (or of the spectral radius), but not the updates since; a second call undoes the move
        before it. Each call adds a flag."""
        if not self.history.moves:
            return
        *rest, last = self.history.moves
        self.history.end_move()
        if last.name == RADIUS:
            self.scale_to_radius(last.old)
        else:
            self.change(**{last.name: last.old})
        self.history.end_move()
        self.history.moves = rest

    def now(self) -> Moment:
        """The current state of this run as a moment. Call it between two updates only."""
        trainer, loss = self.trainer, self._last.loss if self._last else math.nan
        return Moment.of(trainer.params, trainer.state(), self._point(loss), self.settings, self._last)

    def before_last_move(self) -> Moment | None:
        """The moment before the move that :meth:`undo` would undo; None if it is not stored or no update was done since."""
        moves = self.history.moves
        return self.history.moments.at(moves[-1].point.update) if moves and moves[-1].point.update < self.step else None

    def branch(self, moment: Moment, settings: Settings | None = None) -> "MonitoredTrainer":
        """A new run that continues from a moment of this one: bit for bit, unless ``settings`` has other live knobs.

        Its curves up to the moment are copies of this run's.
        """
        trainer = Trainer(moment.settings, self.corpus)
        trainer.restore(moment.state)
        seen, seconds = self.history.until(moment.update), moment.point.seconds
        other = MonitoredTrainer(trainer, self.corpus, self.held_out, seen, seconds, moment.last)
        if settings:
            other.change(**{name: getattr(settings, name) for name in settings.differing(moment.settings, "live")})
        other.resample()
        return other

    @property
    def is_initial(self) -> bool:
        """Whether nothing has changed since the start: no update, no move of a knob, no other change of the network."""
        return not (self.step or self._other_changes or self.history.flags or self.history.moves)

    @property
    def is_evaluated(self) -> bool:
        """Whether the newest judgement is of the current network."""
        return self._judged == self.network_version

    @property
    def stop_reason(self) -> str:
        """A sentence once the learning rate has fallen to zero, or a line of :meth:`hold_at` is passed; "" before."""
        if not rate_at(self.settings, self.step):
            return RATE_IS_ZERO
        passed = self._passed(self._holds) if self.step else []
        return passed[-1] if passed else ""

    def hold_at(self, lines: Mapping[str, float]) -> None:
        """Stop below each of these perplexities, highest first, unless it is passed already; the names are the reasons."""
        passed = self._passed(lines)
        self._holds = {name: line for name, line in lines.items() if name not in passed}

    def pass_lines(self) -> None:
        """Stop no more at the lines that are passed."""
        self.hold_at(self._holds)

    def _passed(self, lines: Mapping[str, float]) -> list[str]:
        now = perplexity_of(self.history.judged[-1].nats)
        return [name for name, line in lines.items() if now < line]

    def evaluate(self) -> None:
        """Judge the current network, even if no judgement is due."""
        if not self.is_evaluated:
            for _piece in self.judging():
                pass

    def judging(self) -> Iterator[None]:
        """Judge the current network, in pieces; the network must not change meanwhile."""
        version, pieces = self.network_version, self.held_out.judging(self.trainer.params, self.settings)
        while True:
            with self._timed():
                judgement = next(pieces)
            if judgement:
                break
            yield
        self._note(judgement, version)

    def resample(self) -> None:
        """Generate the missing samples of milestones and a new sample of the current network. If its scores are not
        finite, the last sample stays."""
        self.history.moments.write_milestones(self.corpus)
        with contextlib.suppress(ValueError):
            self._sample, self._sample_update = sample_of(self.trainer.params, self.corpus, self.settings, self.step), self.step

    def release_buffers(self) -> None:
        self.trainer.release_buffers()

    def view(self) -> View:
        """The quantities shown: the newest judgement, sample and update."""
        last, judged = self._last, self.history.judged[-1]
        point = self._point(last.loss if last else math.nan)
        sample = self._sample, self._sample_update
        return View(self.settings, point, judged, self.judgement, *norms_of(last), *sample, self._diagnosis)

    def view_of(self, moment: Moment) -> View:
        """The view of a moment, judged now and sampled if necessary; the sample is "" if the network has overflowed."""
        judgement = self.held_out.judgement(moment.params, moment.settings)
        judged = moment.point._replace(nats=judgement.nats)
        norms, sample = norms_of(moment.last), moment.written(self.corpus)
        return View(moment.settings, moment.point, judged, judgement, *norms, sample, moment.update)

    def ghost(self) -> Ghost:
        """The ghost of this run, to be shown beside the next run. Call it between two updates only."""
        params, tokenizer = self.trainer.params, self.corpus.tokenizer
        points = thin(self.history.judged, GHOST_POINTS, min(EARLY_UPDATES, GHOST_POINTS // 2))
        with np.errstate(over="ignore"):  # float64 holds larger weights than float32
            copy = params.copy(np.float32).frozen_copy() if params.flat.size <= GHOST_NUMBERS else None
        return Ghost(self.settings, self.corpus.identity, tuple(points), copy, tokenizer, self.judgement, self.serial)

    def _point(self, nats: float) -> Point:
        return self.trainer.point(nats, self._seconds)

    @contextmanager
    def _timed(self) -> Iterator[None]:
        """Add the time spent in the block to the computing time."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self._seconds += time.perf_counter() - began

    def _note(self, judgement: Judgement, version: tuple[int, int, bool]) -> None:
        """Store the judgement of the network with this version."""
        self.judgement = judgement
        self.history.judged.append(self._point(judgement.nats))
        self._judged = version
        self._due = self.held_out.next_update(self.step)
        self._diagnosis = self._diagnose()

    def _diagnose(self) -> Diagnosis:
        """What is wrong at the newest judgement."""
        history = self.history
        if self._overflows:
            earlier = [moment.update for moment in history.moments.kept if moment.update < self.step]
            return Diagnosis("overflows", self.step, max(earlier, default=-1))
        now = Judged(history.judged[-1], self.judgement)
        self._lowest = lowest = min(self._lowest or self._lowest_before(), now, key=_loss)
        about = {"unigram": self.corpus.unigram_nats, "on_training_text": self.held_out.on_training_text}
        since = max(history.flags[-1].by_update) if history.flags else 0
        found = diagnose(history.training, history.judged, now, lowest, since=since, **about)
        back = history.moments.nearest(found.since).update if found.kind == "overfitting" else found.back
        return found._replace(back=back)

    def _diagnose_anew(self) -> None:
        """Diagnose the run after a knob was moved."""
        self._overflows = self._overflows and self.trainer.overflows()
        self._diagnosis = self._diagnose()

    def _lowest_before(self) -> Judged:
        """The lowest judgement of a run that was opened, branched or taken back, made again at the moment nearest to it."""
        if not self.history.moments.kept:  # a new run
            return Judged(self.history.judged[-1], self.judgement)
        lowest = min(self.history.judged, key=_loss)
        moment = self.history.moments.nearest(lowest.update)
        judgement = self.held_out.judgement(moment.params, moment.settings)
        return Judged(moment.point._replace(nats=judgement.nats), judgement)

    def _forget_what_was_undone(self, *, again: bool) -> None:
        """Remove the history of later updates, as the trainer has restored an earlier state; ``again``: which overflows, too."""
        self._other_changes += 1
        self._overflows = again
        if self._last and self._last.step > self.step:
            self._last = self._before_last
        if self._lowest and self._lowest.point.update > self.step:
            self._lowest = None
        self.history.forget_after(self.step)
        self._due = min(self._due, self.step + 1)
        self.evaluate()

    def _remember_if_due(self) -> None:
        """Store a moment, evenly over the logarithm of the update, and at updates 0, 10, 100, 1000 ..."""
        if self.history.moments.due(self.step):
            self.history.moments.add(self.now())

    def _remember_before_move(self, name: str) -> None:
        """Store a moment for undo, unless this is another value of the same move."""
        moments = self.history.moments
        if self.history.continues_last_move(name):
            return
        if not moments.at(self.step):
            moments.add(self.now())
        moments.pin(moments.at(self.step))


def _loss(judged: Judged | Point) -> float:
    """For comparisons: an overflowed loss is above every other one."""
    nats = judged.nats
    return math.inf if math.isnan(nats) else nats
