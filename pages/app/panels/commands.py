"""Handlers of the run's buttons in the sidebar and on Training, of the view of its chart, and of the history slider."""

import math
from typing import Any

from core.config.language import gettext as _, lazy_gettext
from core.training.run.live_run import SLOW_UPDATES
from core.training.tbptt import remedy as remedy_for
from pages.app.session.session import Session
from pages.content.lessons import chosen
from pages.figures.parts.numbers import count

FURTHEST = 1e12  # maximum update or epoch of a run_to command
REMEDIES = ("halve_rate", "clip", "decay", "back")
PATIENCE = 1.0  # maximum seconds to wait for the end of the current update


def command(session: Session, what: str, value: Any) -> None:
    """Execute a command: play, talk (play, the first updates slowly), pause, step, reset, run_to (an update), run_to_epoch,
    across (the unit of the chart's x axis), scale (of its axes) or speed (updates per second)."""
    run, session.notices = session.run, []
    session.set_problem("")
    if what in ("play", "talk", "step", "run_to", "run_to_epoch"):
        session.show_present()  # these commands train the present run; only a branch continues from a past moment
    if what in ("play", "talk"):
        talks = what == "talk" or (session.scene and session.scene.done.kind == "below")
        run.slow_until = SLOW_UPDATES if talks else 0
        play(session)
    elif what == "pause":
        run.pause()
        run.join(PATIENCE)  # so that the page shows the update at which the run has stopped
    elif what == "step":
        run.step()
    elif what == "reset":
        session.start(session.wanted)
    elif what in ("run_to", "run_to_epoch") and isinstance(value, int | float) and math.isfinite(value):
        number = int(min(value, FURTHEST))
        epoch, goal = lazy_gettext("Epoch {n}", n=count(number)), lazy_gettext("Update {n}", n=count(number))
        goal = epoch if what == "run_to_epoch" else goal
        until = number * (run.source.trainer.updates_per_epoch if what == "run_to_epoch" else 1)
        if not run.play(until, goal):  # that update is done already
            session.set_problem(_("{goal} is done already: start over to run to it.", goal=goal))
    elif what in ("across", "scale", "speed"):
        session.change_view(**{what: value})


def play(session: Session) -> None:
    """Train the run; with a preset that has printed results of a book, first only up to the epoch of the last result."""
    run, preset = session.run, chosen(session.run.settings)
    last = preset.printed[-1][0] if preset and preset.printed else 0
    if not (last and run.play(last * run.source.trainer.updates_per_epoch, lazy_gettext("Epoch {n}", n=count(last)))):
        run.play()


def remedy(session: Session, what: str) -> None:
    """Help a run of which something is wrong: change its settings (a rate or clipping lets it continue), start over, or pause at
    an earlier moment."""
    if what == "reset":
        command(session, what, None)
    elif what == "back":
        moment = session.monitored.history.moments.at(session.run.snapshot().view.diagnosis.back)
        if moment:
            session.branch(moment)
            session.run.pause()
    else:
        session.move(**remedy_for(session.run.settings, what))
        if what != "decay":
            session.run.play()


def press(session: Session, what: str) -> None:
    """Handle a button of the run card in the sidebar."""
    if what in REMEDIES:
        remedy(session, what)
    elif what == "branch" and session.past:
        session.branch(session.past.moment)
    elif what == "now":
        session.show_present()
    else:
        command(session, what, None)


def seek(session: Session, update: int) -> None:
    """Show the run as it was after this update; below 0: as it is now."""
    session.set_problem("")
    if update < 0:
        session.show_present()
    else:
        session.show_snapshot(update)
