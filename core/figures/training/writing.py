"""What the network of the run writes, now and at earlier moments."""

from typing import TypedDict

from core.config.language import gettext as _
from core.figures.parts.numbers import count
from core.training.history import History
from core.training.run.live_run import Snapshot
from core.training.snapshots import Moment


class WritingScene(TypedDict):
    """The newest sample, and those of earlier moments as [update, text]."""

    says: str
    now: str
    when: str
    earlier: list[list[str]]


def writing_scene(snapshot: Snapshot, history: History, *, is_text: bool = True, past: bool = False) -> WritingScene:
    """The newest sample and those of earlier moments, as plain text with blanks and breaks made visible where one line is all.

    A network whose numbers are no longer finite writes nothing; neither does one that learns something else than to go on
    (``is_text``). ``past``: the reader looks back at it.
    """
    view = snapshot.view
    then = [moment for moment in history.moments.milestones if moment.update <= view.point.update]
    earlier = [moment for moment in then if moment.sample is not None]
    nothing = _("nothing: its numbers are no longer finite") if is_text else _("nothing: what it predicts is not the next token")
    return {
        "says": _("It wrote, then") if past else _("It writes, now"),
        "now": view.sample,
        "when": _("at update {n}", n=count(view.sample_update)) if view.sample else nothing,
        "earlier": [[count(m.update), _in_one_line(m.sample)] for m in _first_and_newest(earlier)],
    }


def _in_one_line(text: str) -> str:
    return text.replace("\n", "↵").replace("\t", "→")[:80] or "–"


def _first_and_newest(moments: list[Moment]) -> list[Moment]:
    """The noise it began with, and the last four."""
    return moments[:1] + moments[1:][-4:]
