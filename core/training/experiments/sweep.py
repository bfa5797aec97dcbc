"""A sweep: many small networks side by side, on all cores, each with the same budget. Its plan, in which one setting varies, and
what its members have reached.

They are trained in slices (``sweep_worker.py``) by processes of joblib, so results stream, and stopping takes one slice at
most. The processes are shared by all sweeps, and end ``IDLE`` seconds after the last slice, with their copy of a reader's own
text. In a ``joblib.parallel_config`` of another backend (Dask, Ray) its workers train instead.
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
from core.training.held_out import MAX_TOKENS
from core.training.run.fair_lock import compute_lock
from core.training.run.runnable import Runnable

LIMIT = LIMITS.compared_megabytes * MEGABYTE  # bytes of all networks of one sweep
IDLE = 3.0  # seconds after which a process with nothing to do ends
warnings.filterwarnings("ignore", "A worker stopped while some jobs")  # it was idle when they were sent: joblib starts another
MOST_VALUES, MOST_SEEDS = 8, 5
OFFERED = 5  # values
OFF = "off"  # the name of a value without effect
FINE = 16  # a knob with more stops than that is offered at every second one
SCALES = ("input_scale", "output_scale")  # which an initialisation brings with it
JUDGED_BY = "validation_share"  # perplexities of other texts cannot be compared
VARIED = tuple(name for name, knob in KNOBS.items() if knob.kind != "view" and name != JUDGED_BY)
NO_ROOM = lazy_gettext("There is no memory left for this network beside the others: compare fewer or smaller ones.")


class SweepStatus(NamedTuple):
    """A sweep at one instant: its members, how much of all budgets is spent, and the seconds until all is (infinite: unknown)."""

    members: tuple[Member, ...]
    share: float
    left: float


class Sweep(Runnable):
    """Iterate it: one item is a slice of as many networks as there are processes, those that are furthest behind.

    ``members`` is replaced as a whole, so another thread may read it at any time. A member that diverges or cannot be trained
    stops no other. To stop, iterate no further; to go on, do.
    """

    def __init__(
        self,
        plans: Sequence[Settings],
        budget: Budget,
        own_text: str = "",
        judged: int = MAX_TOKENS,
        frozen: tuple[str, ...] = (),
    ) -> None:
        """A network for each of ``plans``; ``own_text`` is what the reader brought, ``judged`` the held-out tokens that judge,
        ``frozen`` the weights of all that stay as they began."""
        self.members = tuple(Member(settings, frozen=frozen) for settings in plans)
        self.budget = budget
        self._text, self._judged = Text.of(own_text), judged
        self._lacking: set[int] = set()  # members whose last process did not have the reader's text
        self._spent = 0.0  # seconds on the clock
        self._begun: tuple[float, float] | None = None  # those of the first slice, in which processes start; the share after it
        self._parallel: Parallel | None = None  # one for all slices: joblib remembers something of every one

    def __next__(self) -> list[int]:
        """A slice each; which members had one. ``StopIteration`` when all have ended."""
        began = time.monotonic()
        with compute_lock.released(), _processes():
            chosen = self._least_progressed(effective_n_jobs(None))
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
        """Read by all of them."""
        return sum(member.tokens for member in self.members)

    def view(self) -> SweepStatus:
        """What there is to see now."""
        share, (spent, begun) = self._done(), self._begun or (0.0, 1.0)
        left = (self._spent - spent) * (1 - share) / (share - begun) if share > begun else float("inf")
        return SweepStatus(self.members, share, left)

    def _done(self) -> float:
        """How much of all budgets is spent."""
        return sum(map(self._share, self.members)) / len(self.members)

    def _share(self, member: Member) -> float:
        return 1.0 if member.ended else self.budget.share(member.tokens, member.seconds)

    def _least_progressed(self, most: int) -> list[int]:
        """The members with the most tokens left."""
        left = [i for i, member in enumerate(self.members) if not member.ended]
        return sorted(left, key=lambda i: self._share(self.members[i]))[:most]

    def _take(self, i: int, member: Member) -> None:
        """A member is back from its slice."""
        others = sum(_bytes(other) for j, other in enumerate(self.members) if j != i)
        if others + _bytes(member) > LIMIT:
            member = member._replace(state=None, ended="failed", message=NO_ROOM)
        member = member._replace(points=self.members[i].points + member.points)
        self.members = (*self.members[:i], member, *self.members[i + 1 :])


def _bytes(member: Member) -> int:
    return sum(getattr(part, "nbytes", 0) for part in (member.state or {}).values())


def _processes() -> AbstractContextManager[Any]:
    """The joblib backend: the configured one, or a process for each core, with one BLAS thread each.

    At least 2: with 1, joblib would train within this process, which serves the pages. The same number for every sweep, since
    all share the processes.
    """
    if not isinstance(get_active_backend()[0], BACKENDS["loky"]):
        return nullcontext()
    start = {"initializer": init_worker, "initargs": (os.getpid(),)}
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    most = max(LIMITS.processes or cores, 2)
    return parallel_config("loky", n_jobs=most, inner_max_num_threads=1, idle_worker_timeout=IDLE, **start)


class Group(NamedTuple):
    """The members with one value, a seed each."""

    value: Any
    members: tuple[Member, ...]

    @property
    def sound(self) -> bool:
        """Whether none has diverged or could not be trained: only then they have a mean."""
        return not any(member.ended in ("diverged", "failed") for member in self.members)

    @property
    def curve(self) -> list[Point]:
        """The mean loss at every update at which all that were trained have been judged: its perplexity is a geometric mean."""
        judged = [{point.update: point for point in member.points} for member in self.members if member.points]
        shared = set.intersection(*map(set, judged)) if judged else ()
        return [_mean([points[update] for points in judged]) for update in sorted(shared)]

    @property
    def perplexity(self) -> float:
        """The geometric mean of what its members have reached; not a number where it has none."""
        reached = [member.reached.nats for member in self.members if member.reached]
        return perplexity_of(math.fsum(reached) / len(reached)) if reached and self.sound else math.nan


def _mean(points: Sequence[Point]) -> Point:
    return points[0]._replace(nats=math.fsum(point.nats for point in points) / len(points))


def grouped(members: Sequence[Member], name: str) -> list[Group]:
    """Members with the same value of a setting, in order."""
    groups: dict[Any, tuple[Member, ...]] = {}
    for member in members:
        value = getattr(member.settings, name)
        groups[value] = (*groups.get(value, ()), member)
    return [Group(value, together) for value, together in groups.items()]


def leading(groups: Sequence[Group]) -> Group | None:
    """The value with the lowest mean so far."""
    there = [group for group in groups if math.isfinite(group.perplexity) and any(member.step for member in group.members)]
    return min(there, key=lambda group: group.perplexity, default=None)


def best(members: Sequence[Member]) -> Member | None:
    """The one with the lowest perplexity so far, of those that have learnt and not diverged."""
    sound = [m for m in members if m.step and m.reached and m.ended in ("", "finished") and math.isfinite(m.reached.nats)]
    return min(sound, key=lambda member: member.reached.nats, default=None)


def rival(members: Sequence[Member], name: str) -> Member | None:
    """The best network with another value of a setting than the best of all, where the two cannot be told apart."""
    first = best(members)
    second = best([one for one in members if first and getattr(one.settings, name) != getattr(first.settings, name)])
    return second if second and first.judgement and second.judgement and first.judgement.within_noise(second.judgement) else None


def varied(settings: Settings, name: str, value: Any) -> Settings:
    """Settings with one of them changed. An initialisation comes with its own scales."""
    return settings.but(**{name: value}, **(dict.fromkeys(SCALES) if name == "init" else {}))


def plans(settings: Settings, name: str, values: Sequence[Any], seeds: int) -> list[Settings]:
    """The settings of all members: every value with every seed, the value's seeds one after another.

    The seeds are those from the settings' own on. A sweep over seeds has one for each value.
    """
    if name == "seed":
        return [varied(settings, name, value) for value in values]
    first = min(settings.seed, KNOBS["seed"].high - seeds + 1)
    return [varied(settings, name, value).but(seed=first + i) for value in values for i in range(seeds)]


def default_values(settings: Settings, name: str) -> list[Any]:
    """Five values around the present one; of all the range where that is off; or all that there are of a word."""
    knob = KNOBS[name]
    if not knob.between:
        return list(knob.words)[:MOST_VALUES]
    limit = getattr(settings, knob.within) if knob.within else None
    stops = [stop for stop in knob.stops if stop is not None and (limit is None or stop < limit)]
    stops += [None] * (knob.optional and bool(limit))
    if knob.words.get(getattr(settings, name)) == OFF:
        return [stops[i * (len(stops) - 1) // (OFFERED - 1)] for i in range(OFFERED)]
    return _around(stops, _nearest(stops, getattr(settings, name)), 2 if len(stops) > FINE else 1)


def _nearest(stops: Sequence[Any], value: Any) -> int:
    """The place of a value among the stops; where it is none of them, of the one next to it. None is the last."""
    if value in stops or value is None:
        return stops.index(value) if value in stops else len(stops) - 1
    return min((i for i, stop in enumerate(stops) if stop is not None), key=lambda i: abs(stops[i] - value))


def _around(stops: Sequence[Any], middle: int, stride: int) -> list[Any]:
    """Five stops with the middle one among them, as far as there are so many."""
    reach = OFFERED // 2
    before, after = middle // stride, (len(stops) - 1 - middle) // stride
    first = max(middle - stride * min(before, max(reach, OFFERED - 1 - after)), 0)
    return list(stops[first::stride][:OFFERED])
