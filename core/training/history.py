"""What a run remembers: its curves, the knobs that were moved, moments; the same as CSV; and what an earlier run leaves behind.

One thread may write while others read copies of it: all of it grows at the end, and shrinks there when a run goes back.
"""

import csv
import io
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.config.settings import KNOBS, Settings
from core.models.loss import perplexity_of
from core.models.rnn import Params
from core.text.tokenizer import Tokenizer
from core.training.curves import Curve, Epochs, Point, drop_after
from core.training.held_out import Judgement
from core.training.snapshots import Moments, serials

RADIUS = "spectral_radius"  # of W_hh: the name of a flag that is no setting
SAME_MOVE = 2.0  # seconds between two values of one knob that still are one move
GHOST_POINTS = 100
GHOST_NUMBERS = 500_000  # a larger network leaves only its curve: 2 MB each is enough
WHERE = ("update", "epoch", "tokens", "seconds")
COLUMNS = (*WHERE, "kind", "nats_per_token", "perplexity", "knob", "old", "new")
WINDOWS, EPOCH, HELD_OUT, TRAINING_TEXT, MOVED = "training windows", "epoch", "held-out text", "training text", "knob moved"
DIGITS = {"epoch": 6, "seconds": 3}  # after the point, of what needs no more


@dataclass(frozen=True)
class Flag:
    """A knob was moved: at this update ``name`` went from ``old`` to ``new``."""

    point: Point
    name: str
    old: Any
    new: Any

    def from_update(self, update: int) -> "Flag":
        """The same, not later than at this update: a run that goes back there reads on with the knob as it is now."""
        then = self.point
        if then.update <= update:
            return self
        share = update / then.update
        return replace(self, point=then._replace(update=update, tokens=round(then.tokens * share), epoch=then.epoch * share))


@dataclass(frozen=True)
class Ghost:
    """The curve an earlier run left behind, and its network as it was at the end.

    ``params`` is a read-only copy in float32, None for a network too large to keep; ``tokenizer`` is what it reads with.
    ``judgement`` is that of the end; ``serial`` is the number of the run.
    """

    settings: Settings
    vocab_size: int
    points: tuple[Point, ...]
    params: Params | None = None
    tokenizer: Tokenizer | None = None
    judgement: Judgement | None = field(default=None, compare=False)
    serial: int = field(default_factory=serials.__next__, compare=False)

    def comparable(self, settings: Settings, vocab_size: int) -> bool:
        """Whether its perplexity means the same as that of a run with these settings: the same text, over the same symbols."""
        return vocab_size == self.vocab_size and not any(KNOBS[name].of_text for name in settings.differing(self.settings))


@dataclass
class History:
    """What one run remembers. ``moves`` are the flags whose knobs can be put back, the newest last."""

    epochs: Epochs
    moments: Moments
    training: Curve = field(default_factory=Curve)
    judged: list[Point] = field(default_factory=list)
    flags: list[Flag] = field(default_factory=list)
    moves: list[Flag] = field(default_factory=list)
    _moved_at: float = -SAME_MOVE

    def add(self, point: Point) -> None:
        """Account for one update: its loss, as its window was read."""
        self.training.add(point)
        self.epochs.add(point)

    def goes_on(self, name: str) -> bool:
        """Whether another value of this knob, now, would be of the move that was made last: as while it is dragged."""
        return bool(self.flags) and self.flags[-1].name == name and time.perf_counter() - self._moved_at < SAME_MOVE

    def move(self, flag: Flag) -> None:
        """A knob is moved; the values of one knob while it is dragged are one move."""
        if self.goes_on(flag.name):
            flag = replace(self.flags.pop(), new=flag.new)
            self.moves = self.moves[:-1]
        self._moved_at = time.perf_counter()
        if flag.old != flag.new:
            self.flags.append(flag)
            self.moves = [*self.moves, flag]

    def end_move(self) -> None:
        """The next value of the knob that was moved last is another move."""
        self._moved_at = -SAME_MOVE

    def moved_before(self, update: int | None = None) -> list[str]:
        """Names of what was moved on the way to this update (now, without one): a run that begins with the settings of then has
        another curve. A knob that was moved before the first update counts as one that always stood there."""
        on_the_way = [flag for flag in self.flags if update is None or flag.point.update < update]
        return list(dict.fromkeys(flag.name for flag in on_the_way if flag.point.update or flag.name == RADIUS))

    def forget_after(self, update: int) -> None:
        """Take back what was seen of later updates, for a run that went back. Live knobs stay where they were moved to, and hold
        from here."""
        for seen in (self.training, self.epochs, self.moments):
            seen.forget_after(update)
        drop_after(self.judged, update)
        held = {flag: flag.from_update(update) for flag in self.flags if flag.name != RADIUS or flag.point.update <= update}
        self.flags[:] = [held[flag] for flag in self.flags if flag in held]
        self.moves = [held[flag] for flag in self.moves if flag in held]

    def until(self, update: int) -> "History":
        """A copy of what was seen up to this update, before it was judged and a knob was moved there: for a run that goes on."""
        before = [[seen for seen in moved if seen.point.update < update] for moved in (self.flags, self.moves)]
        judged = [point for point in self.judged if point.update < update]
        copied = History(self.epochs.copy(), self.moments.copy_until(update), self.training.copy(), judged, *before)
        copied.forget_after(update)
        return copied


def as_csv(history: History, settings: Settings, *, on_training_text: bool = False) -> str:
    """All curves of a run, and the knobs that were moved; in the order of updates.

    ``kind`` says what a row is: "training windows" is the mean loss since the row of that kind before, "epoch" that of a whole
    epoch, "held-out text" (or "training text", where the judged tokens are of that) a judgement. Losses are means in nats per
    token. A row "knob moved" has the knob's name and its values, all numbers: a truncation of the whole window is ``num_steps``,
    a clip norm that is off 0, a state that is carried 1. It acts from the next update.
    """
    judged = TRAINING_TEXT if on_training_text else HELD_OUT
    curves = {MOVED: history.flags, judged: history.judged, WINDOWS: history.training.points, EPOCH: history.epochs.points}
    rows = [row for kind, seen in curves.items() for row in _rows(kind, list(seen), settings)]
    out = io.StringIO()
    table = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    table.writeheader()
    table.writerows(sorted(rows, key=lambda row: row["update"]))
    return out.getvalue()


def _rows(kind: str, seen: Sequence[Point | Flag], settings: Settings) -> Iterator[dict[str, Any]]:
    for one in seen:
        at, rest = (one.point, _knob(one, settings)) if isinstance(one, Flag) else (one, _loss(one))
        where = {name: round(getattr(at, name), DIGITS.get(name)) for name in WHERE}
        yield {**where, "kind": kind, **rest}


def _loss(point: Point) -> dict[str, float]:
    return {"nats_per_token": point.nats, "perplexity": perplexity_of(point.nats)}


def _knob(flag: Flag, settings: Settings) -> dict[str, Any]:
    old, new = (settings.num_steps if value is None else value for value in (flag.old, flag.new))
    return {"knob": flag.name, "old": float(old), "new": float(new)}
