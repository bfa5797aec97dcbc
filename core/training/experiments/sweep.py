"""A sweep: many small networks side by side, on all cores, each with the same budget.

They are trained in legs (``sweep_worker.py``) by processes of joblib, so results stream, and whoever stops waits for a leg at
most. The processes are few, are shared by all sweeps, and end by themselves ``IDLE`` seconds after the last leg, and with them
their copy of a reader's own text. In a ``joblib.parallel_config`` of another backend (Dask, Ray) its workers train instead.
"""

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
from core.config.settings import Settings
from core.training.experiments.sweep_worker import Budget, Member, Text, begin, leg
from core.training.held_out import MAX_TOKENS
from core.training.run.fair_lock import compute_lock
from core.training.run.runnable import Source

LIMIT = LIMITS.compared_megabytes * MEGABYTE  # bytes of all networks of one sweep
IDLE = 3.0  # seconds after which a process with nothing to do ends
warnings.filterwarnings("ignore", "A worker stopped while some jobs")  # it was idle when they came: joblib begins another
NO_ROOM = lazy_gettext("There is no memory left for this network beside the others: compare fewer or smaller ones.")


class Seen(NamedTuple):
    """A sweep at one instant: its members, how much of all budgets is spent, and the seconds until all is (infinite: unknown)."""

    members: tuple[Member, ...]
    share: float
    left: float


class Sweep(Source):
    """Iterate it: one item is a leg of as many networks as there are processes, those that are furthest behind.

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
        self.trainer: Any = self  # all tokens are told, not those of one network
        self._text, self._judged = Text.of(own_text), judged
        self._lacking: set[int] = set()  # members whose last process did not have the reader's text
        self._spent = 0.0  # seconds on the clock
        self._begun: tuple[float, float] | None = None  # those of the first leg, in which processes start, and the share after it
        self._parallel: Parallel | None = None  # one for all legs: joblib remembers something of every one

    def __next__(self) -> list[int]:
        """A leg each; which members had one. ``StopIteration`` when all have ended."""
        began = time.monotonic()
        with compute_lock.released(), _processes():
            chosen = self._behind(effective_n_jobs(None))
            if not chosen:
                raise StopIteration
            legs = (delayed(leg)(self._handed(i), self.budget, self._text_for(i), self._judged) for i in chosen)
            self._parallel = self._parallel or Parallel(batch_size=1, max_nbytes=None)
            after = self._parallel(legs)
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

    def look(self) -> Seen:
        """What there is to see now."""
        share, (spent, begun) = self._done(), self._begun or (0.0, 1.0)
        left = (self._spent - spent) * (1 - share) / (share - begun) if share > begun else float("inf")
        return Seen(self.members, share, left)

    def _done(self) -> float:
        """How much of all budgets is spent."""
        return sum(map(self._share, self.members)) / len(self.members)

    def _share(self, member: Member) -> float:
        return 1.0 if member.ended else self.budget.share(member.tokens, member.seconds)

    def _behind(self, most: int) -> list[int]:
        """Those with most left to do."""
        left = [i for i, member in enumerate(self.members) if not member.ended]
        return sorted(left, key=lambda i: self._share(self.members[i]))[:most]

    def _handed(self, i: int) -> Member:
        """What a process needs to know of a member."""
        return self.members[i]._replace(points=())

    def _text_for(self, i: int) -> Text:
        return self._text if i in self._lacking else self._text._replace(words="")

    def _take(self, i: int, member: Member) -> None:
        """A member is back from its leg."""
        others = sum(_bytes(other) for j, other in enumerate(self.members) if j != i)
        if others + _bytes(member) > LIMIT:
            member = member._replace(state=None, ended="failed", said=NO_ROOM)
        member = member._replace(points=self.members[i].points + member.points)
        self.members = (*self.members[:i], member, *self.members[i + 1 :])


def _bytes(member: Member) -> int:
    return sum(getattr(part, "nbytes", 0) for part in (member.state or {}).values())


def _processes() -> AbstractContextManager[Any]:
    """Whoever trains here: what the reader has configured, or as many processes as there are cores, one BLAS thread each.

    Always two at least, as one alone would be this very process, which serves the pages; and as many for every sweep, since all
    share them.
    """
    if not isinstance(get_active_backend()[0], BACKENDS["loky"]):
        return nullcontext()
    start = {"initializer": begin, "initargs": (os.getpid(),)}
    most = max(LIMITS.processes or _cores(), 2)
    return parallel_config("loky", n_jobs=most, inner_max_num_threads=1, idle_worker_timeout=IDLE, **start)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
