"""A sweep: many small networks trained in parallel on all cores, each with the same budget. Its plan, in which one setting
varies, and the results of its members.

Networks are trained in slices (``sweep_worker.py``) by joblib processes, so results arrive during training, and stopping takes
one slice at most. The processes are shared by all sweeps, and end ``IDLE`` seconds after the last slice, with their copy of a
reader's own text. In a ``joblib.parallel_config`` of another backend (Dask, Ray) its workers train instead.
"""

import math
import os
import time
import warnings
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

from joblib import Parallel, delayed, effective_n_jobs, parallel_config
from joblib.parallel import BACKENDS, get_active_backend

from core.config.language import lazy_gettext
from core.config.limits import LIMITS, MEGABYTE
from core.config.settings import KNOBS, Settings
from core.models.loss import perplexity_of
from core.training.curves import Point
from core.training.experiments.sweep_worker import Budget, Member, Text, init_worker, train_slice
from core.training.held_out import MAX_JUDGED_TOKENS
from core.training.run.runnable import Runnable

LIMIT = LIMITS.compared_megabytes * MEGABYTE  # bytes of all networks of one sweep
IDLE = 3.0  # seconds after which an idle process ends
warnings.filterwarnings("ignore", "A worker stopped while some jobs")  # an idle process has ended: joblib starts another
MOST_VALUES, MOST_SEEDS = 8, 5
OFFERED = 5  # default values of a sweep
FINE = 16  # a knob with more stops is offered at every second stop
SCALES = ("input_scale", "output_scale")  # the settings that depend on the initialisation
JUDGED_BY = "validation_share"  # not varied: perplexities on different held-out texts cannot be compared
VARIED = tuple(name for name, knob in KNOBS.items() if knob.kind != "view" and name != JUDGED_BY)
NO_ROOM = lazy_gettext("There is no memory left for this network beside the others: compare fewer or smaller ones.")


class SweepStatus(NamedTuple):
    """A sweep at one instant: its members, the share of all budgets that is spent, and the seconds left (infinite: unknown)."""

    members: tuple[Member, ...]
    share: float
    left: float


class Sweep(Runnable):
    """An iterator: one item is a slice of as many networks as there are processes, those with the least progress.

    ``members`` is replaced as a whole, so another thread may read it at any time. A member that diverges or cannot be trained
    does not stop the others. Iteration can be stopped and continued at any item.
    """

    outside = True

    def __init__(
        self,
        plans: Sequence[Settings],
        budget: Budget,
        own_text: str = "",
        judged: int = MAX_JUDGED_TOKENS,
        frozen: tuple[str, ...] = (),
    ) -> None:
        """A network for each of ``plans``. ``own_text``: the reader's own text; ``judged``: number of held-out tokens that are
        judged; ``frozen``: weights that keep their initial values in all networks."""
        self.members = tuple(Member(settings, frozen=frozen) for settings in plans)
        self.budget = budget
        self._text, self._judged = Text.of(own_text), judged
        self._lacking: set[int] = set()  # members whose last process did not have the reader's text
        self._spent = 0.0  # wall-clock seconds of all slices so far
        self._begun: tuple[float, float] | None = None  # seconds and share after the first slice, in which processes start
        self._parallel: Parallel | None = None  # one for all slices: joblib keeps some memory for each ``Parallel``

    def __next__(self) -> list[int]:
        """Train several members for a slice each, and return their indices. ``StopIteration`` when all have ended."""
        began = time.monotonic()
        with _processes():
            left = [i for i, member in enumerate(self.members) if not member.ended]
            chosen = sorted(left, key=lambda i: self._share(self.members[i]))[: effective_n_jobs(None)]
            if not chosen:
                raise StopIteration
            without = self._text._replace(words="")
            texts = (self._text if i in self._lacking else without for i in chosen)
            members = (self.members[i]._replace(points=()) for i in chosen)
            parts = zip(members, texts, strict=True)
            self._parallel = self._parallel or Parallel(batch_size=1, max_nbytes=None)
            after = self._parallel(delayed(train_slice)(one, self.budget, text, self._judged) for one, text in parts)
        self._lacking = {i for i, member in zip(chosen, after, strict=True) if member is None}
        for i, member in zip(chosen, after, strict=True):
            if member:
                self._take(i, member)
        self._spent += time.monotonic() - began
        self._begun = self._begun or (self._spent, self._done())
        return chosen

    @property
    def step(self) -> int:
        """Members that have ended."""
        return sum(bool(member.ended) for member in self.members)

    @property
    def tokens(self) -> int:
        """Tokens read by all members."""
        return sum(member.tokens for member in self.members)

    def view(self) -> SweepStatus:
        """The current status."""
        share, (spent, begun) = self._done(), self._begun or (0.0, 1.0)
        left = (self._spent - spent) * (1 - share) / (share - begun) if share > begun else float("inf")
        return SweepStatus(self.members, share, left)

    def _done(self) -> float:
        """The share of all budgets that is spent, from 0 to 1."""
        return sum(map(self._share, self.members)) / len(self.members)

    def _share(self, member: Member) -> float:
        return 1.0 if member.ended else self.budget.share(member.tokens, member.seconds)

    def _take(self, i: int, member: Member) -> None:
        """Store the result of a member's training slice; end the member if all together exceed ``LIMIT``."""
        others = sum(_bytes(other) for j, other in enumerate(self.members) if j != i)
        if others + _bytes(member) > LIMIT:
            member = member._replace(state=None, ended="failed", message=NO_ROOM)
        member = member._replace(points=self.members[i].points + member.points)
        self.members = (*self.members[:i], member, *self.members[i + 1 :])


def _bytes(member: Member) -> int:
    return sum(getattr(part, "nbytes", 0) for part in (member.state or {}).values())


def _processes() -> AbstractContextManager[Any]:
    """The joblib backend: the configured one, or ``LIMITS.processes`` (default: one per core) with one BLAS thread each.

    At least 2 processes: with 1, joblib would train in this process, which serves the pages. The number is the same for every
    sweep, since all share the processes.
    """
    if not isinstance(get_active_backend()[0], BACKENDS["loky"]):
        return nullcontext()
    start = {"initializer": init_worker, "initargs": (os.getpid(),)}
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    most = max(LIMITS.processes or cores, 2)
    return parallel_config("loky", n_jobs=most, inner_max_num_threads=1, idle_worker_timeout=IDLE, **start)


class Group(NamedTuple):
    """The members with the same value of the varied setting, one per seed."""

    value: Any
    members: tuple[Member, ...]

    @property
    def sound(self) -> bool:
        """Whether no member has diverged or failed: only then is there a mean."""
        return not any(member.ended in ("diverged", "failed") for member in self.members)

    @property
    def curve(self) -> list[Point]:
        """The mean loss at every update at which all started members were judged; its perplexity is a geometric mean."""
        judged = [{point.update: point for point in member.points} for member in self.members if member.points]
        shared = set.intersection(*map(set, judged)) if judged else ()
        return [_mean([points[update] for points in judged]) for update in sorted(shared)]

    @property
    def perplexity(self) -> float:
        """The geometric mean of the newest perplexities of the members; nan without any, or if one has diverged or failed."""
        reached = [member.reached.nats for member in self.members if member.reached]
        return perplexity_of(math.fsum(reached) / len(reached)) if reached and self.sound else math.nan


def _mean(points: Sequence[Point]) -> Point:
    return points[0]._replace(nats=math.fsum(point.nats for point in points) / len(points))


def grouped(members: Sequence[Member], name: str) -> list[Group]:
    """The members, grouped by the value of a setting, in the order of first appearance."""
    groups: dict[Any, tuple[Member, ...]] = {}
    for member in members:
        value = getattr(member.settings, name)
        groups[value] = (*groups.get(value, ()), member)
    return [Group(value, together) for value, together in groups.items()]


def leading(groups: Sequence[Group]) -> Group | None:
    """The group with the lowest mean perplexity so far."""
    there = [group for group in groups if math.isfinite(group.perplexity) and any(member.step for member in group.members)]
    return min(there, key=lambda group: group.perplexity, default=None)


def best(members: Sequence[Member]) -> Member | None:
    """The member with the lowest perplexity so far, of those that are trained and have neither diverged nor failed."""
    sound = [m for m in members if m.step and m.reached and m.ended in ("", "finished") and math.isfinite(m.reached.nats)]
    return min(sound, key=lambda member: member.reached.nats, default=None)


def rival(members: Sequence[Member], name: str) -> Member | None:
    """The best member with another value of a setting than the best of all, if the two differ by noise only; otherwise None."""
    first = best(members)
    second = best([one for one in members if first and getattr(one.settings, name) != getattr(first.settings, name)])
    return second if second and first.judgement and second.judgement and first.judgement.within_noise(second.judgement) else None


def varied(settings: Settings, name: str, value: Any) -> Settings:
    """The settings with one of them changed. A new initialisation also resets the scales."""
    return settings.but(**{name: value}, **(dict.fromkeys(SCALES) if name == "init" else {}))


def plans(settings: Settings, name: str, values: Sequence[Any], seeds: int) -> list[Settings]:
    """The settings of all members: every value with every seed, ordered by value, then by seed.

    The seeds count up from that of ``settings``. A sweep over seeds has one member for each value.
    """
    if name == "seed":
        return [varied(settings, name, value) for value in values]
    first = min(settings.seed, KNOBS["seed"].high - seeds + 1)
    return [varied(settings, name, value).but(seed=first + i) for value in values for i in range(seeds)]


def default_values(settings: Settings, name: str) -> list[Any]:
    """Five values around the current one; the options of a setting without a range."""
    knob, value = KNOBS[name], getattr(settings, name)
    if not knob.between:
        return list(knob.words)[:MOST_VALUES]
    limit = getattr(settings, knob.within) if knob.within else None
    stops = [stop for stop in knob.stops if stop is not None and (limit is None or stop < limit)]
    nearest = len(stops) if value is None else min(range(len(stops)), key=lambda i: abs(stops[i] - value))
    stops += [None] * (knob.optional and bool(limit))
    stride = 2 if len(stops) > FINE else 1
    offered, at = stops[nearest % stride :: stride], nearest // stride
    first = max(min(at - OFFERED // 2, len(offered) - OFFERED), 0)
    return offered[first : first + OFFERED]
