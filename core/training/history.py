"""The history of a run: its curves, moves of knobs and moments; its CSV export; and ghosts, the curves of earlier runs.

One thread may append while others read copies. When a run is restored to an earlier update, later entries are removed.
"""

import csv
import io
import time
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

from core.config.settings import Settings
from core.models.rnn import Params
from core.text.tokenizer import Tokenizer
from core.training.curves import Curve, Epochs, Point, drop_after, updates_in_bin
from core.training.held_out import Judgement
from core.training.snapshots import Moments, serials

RADIUS = "spectral_radius"  # of W_hh: the name of a flag that is not a setting
SAME_MOVE = 2.0  # seconds within which two values of one knob belong to one move
GHOST_POINTS = 100
GHOST_NUMBERS = 500_000  # parameters (2 MB): the ghost of a larger network has only its curve
WHERE = ("first_update", "update", "epoch", "tokens", "seconds")
COLUMNS = (*WHERE, "kind", "nats_per_token", "perplexity", "knob", "old", "new")
WINDOWS, EPOCH, HELD_OUT, TRAINING_TEXT, MOVED = "training windows", "epoch", "held-out text", "training text", "knob moved"
DIGITS = {"epoch": 6, "seconds": 3}  # decimals


@dataclass(frozen=True)
class Flag:
    """The move of a knob at an update, from ``old`` to ``new``. ``values``: all that it took where it was dragged while the run
    trained, as (update, value); empty if ``new`` was its only value."""

    point: Point
    name: str
    old: Any
    new: Any
    values: tuple[tuple[int, Any], ...] = ()

    @property
    def by_update(self) -> dict[int, Any]:
        """The values that the knob took, by the updates after which it did."""
        return dict(self.values) or {self.point.update: self.new}

    def then(self, later: "Flag") -> "Flag":
        """This flag and a later one of the same drag as one."""
        values = self.by_update | later.by_update
        return replace(self, new=later.new, values=tuple(values.items()) if len(values) > 1 else ())

    def before(self, update: int) -> "Flag":
        """The part of this flag, which began before ``update``, up to that update."""
        values = {at: value for at, value in self.by_update.items() if at < update}
        return replace(self, new=list(values.values())[-1], values=tuple(values.items()) if len(values) > 1 else ())

    def from_update(self, update: int) -> "Flag":
        """The flag, moved to ``update`` if it is later: a run restored to that update keeps the current value of the knob."""
        then, values = self.point, tuple({min(at, update): value for at, value in self.values}.items())
        if then.update <= update:
            return replace(self, values=values)
        share = update / then.update
        point = then._replace(update=update, tokens=round(then.tokens * share), epoch=then.epoch * share)
        return replace(self, point=point, values=values)


@dataclass(frozen=True)
class Ghost:
    """The curve and the final network of an earlier run.

    ``text`` is the identity of its text: only perplexities on the same text are comparable. ``params`` is a read-only copy in
    float32, None for a large network; ``tokenizer`` belongs to its text. ``judgement`` is the newest one; ``serial`` is the
    number of the run.
    """

    settings: Settings
    text: str
    points: tuple[Point, ...]
    params: Params | None = None
    tokenizer: Tokenizer | None = None
    judgement: Judgement | None = field(default=None, compare=False)
    serial: int = field(default_factory=serials.__next__, compare=False)


@dataclass
class History:
    """The history of one run. ``moves`` are the flags that can be undone, the newest last."""

    epochs: Epochs
    moments: Moments
    training: Curve = field(default_factory=Curve)
    judged: list[Point] = field(default_factory=list)
    flags: list[Flag] = field(default_factory=list)
    moves: list[Flag] = field(default_factory=list)
    _moved_at: float = -SAME_MOVE

    def add(self, point: Point) -> None:
        """Add the training loss of one update to the curves."""
        self.training.add(point)
        self.epochs.add(point)

    def continues_last_move(self, name: str) -> bool:
        """Whether a new value of this knob now would belong to the last move, as while the knob is dragged."""
        return bool(self.flags) and self.flags[-1].name == name and time.perf_counter() - self._moved_at < SAME_MOVE

    def move(self, flag: Flag) -> None:
        """Add the move of a knob. All values of a knob while it is dragged are one move."""
        if self.continues_last_move(flag.name):
            begun = self.flags.pop()
            flag, self.moves = begun.then(flag), [move for move in self.moves if move is not begun]
        self._moved_at = time.perf_counter()
        if flag.old != flag.new or len(flag.by_update) > 1:  # updates were done on the way
            self.flags.append(flag)
        if flag.old != flag.new:
            self.moves = [*self.moves, flag]

    def end_move(self) -> None:
        """End the last move: the next value of its knob is a new move."""
        self._moved_at = -SAME_MOVE

    def moved_before(self, update: int | None = None) -> list[str]:
        """Names of the knobs moved before ``update`` (None: at any update): a new run with the settings at ``update`` has another
        curve. Moves of settings before the first update do not count.
        """

        def counts(flag: Flag) -> bool:
            return any((at or flag.name == RADIUS) and (update is None or at < update) for at in flag.by_update)

        return list(dict.fromkeys(flag.name for flag in self.flags if counts(flag)))

    def forget_after(self, update: int) -> None:
        """Remove the entries of later updates, after the run is restored to ``update``. Live knobs keep their current values."""
        for seen in (self.training, self.epochs, self.moments):
            seen.forget_after(update)
        drop_after(self.judged, update)
        held = {flag: flag.from_update(update) for flag in self.flags if flag.name != RADIUS or flag.point.update <= update}
        self.flags[:] = [held[flag] for flag in self.flags if flag in held]
        self.moves = [held[flag] for flag in self.moves if flag in held]

    def until(self, update: int) -> "History":
        """A copy up to this update, without the judgement and the moves at the update itself, for a run that branches there."""
        held = {flag: flag.before(update) for flag in self.flags if flag.point.update < update}
        flags, moves = ([held[flag] for flag in moved if flag in held] for moved in (self.flags, self.moves))
        judged = [point for point in self.judged if point.update < update]
        copied = History(self.epochs.copy(), copy(self.moments), self.training.copy(), judged, flags, moves)
        copied.forget_after(update)
        return copied


def as_csv(history: History, settings: Settings, *, on_training_text: bool = False) -> str:
    """All curves and knob moves of a run as CSV, in the order of updates.

    ``kind``: "training windows" and "epoch" are the mean loss of the windows of the updates from ``first_update`` to ``update``,
    measured before each of them; "held-out text" (or "training text", if nothing is held out) is a judgement of the network after
    ``update``. Losses are means in nats per token, perplexities their exponentials. A row "knob moved" has the
    knob's name and its values as numbers: ``num_steps`` for no truncation, 0 for no clipping, 1 for a carried state. The new
    value applies from the next update; a drag while the run trained is one row, at its beginning, with its last value.
    """
    judged = TRAINING_TEXT if on_training_text else HELD_OUT
    curves = {
        MOVED: (history.flags, lambda update: 1),
        judged: (history.judged, lambda update: 1),
        WINDOWS: (history.training.points, updates_in_bin),
        EPOCH: (history.epochs.points, lambda update: history.epochs.updates_per_epoch),
    }
    rows = [row for kind, (seen, wide) in curves.items() for row in _rows(kind, list(seen), wide, settings)]
    out = io.StringIO()
    table = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    table.writeheader()
    table.writerows(sorted(rows, key=lambda row: row["update"]))
    return out.getvalue()


def _rows(kind: str, seen: Sequence[Point | Flag], wide: Callable[[int], int], settings: Settings) -> Iterator[dict[str, Any]]:
    """``wide``: of how many updates the row is that ends at an update."""
    for item in seen:
        if isinstance(item, Flag):
            old, new = (settings.num_steps if value is None else value for value in (item.old, item.new))
            at, rest = item.point, {"knob": item.name, "old": float(old), "new": float(new)}
        else:
            at, rest = item, {"nats_per_token": item.nats, "perplexity": item.perplexity}
        where = {"first_update": at.update - wide(at.update) + 1}
        where |= {name: round(getattr(at, name), DIGITS.get(name)) for name in WHERE if name not in where}
        yield {**where, "kind": kind, **rest}
