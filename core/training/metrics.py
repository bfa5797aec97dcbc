"""The curves of a run as a table of comma-separated values, one observation in a row, ready for ``pandas.read_csv``."""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

from core.config.settings import Settings
from core.models.loss import perplexity_of
from core.training.curves import Point
from core.training.history import Flag, History

WHERE = ("update", "epoch", "tokens", "seconds")
COLUMNS = (*WHERE, "kind", "nats_per_token", "perplexity", "knob", "old", "new")
WINDOWS, EPOCH, HELD_OUT, TRAINING_TEXT, MOVED = "training windows", "epoch", "held-out text", "training text", "knob moved"
DIGITS = {"epoch": 6, "seconds": 3}  # after the point, of what needs no more


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
