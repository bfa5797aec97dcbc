"""The buttons and charts of a sweep that trains beside the live run.

The page defines the settings of the networks and the name of the sweep in ``session.experiments``.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.config.language import gettext as _, sentences
from core.config.settings import Settings
from core.training.experiments.sweep import Sweep, grouped
from core.training.experiments.sweep_worker import Budget, Member
from core.training.run.live_run import LiveRun
from pages.app.layout import elements
from pages.app.session.session import Session
from pages.app.widgets.components import live_figure
from pages.app.widgets.control_widgets import Button
from pages.figures.training.sweep_charts import USUAL_START, curves_figure, reached_figure
from pages.figures.training.sweep_words import best_words, failure_words, progress_words, sweep_label

EVERY = 0.5  # seconds between two reruns
COLUMNS = (600, 372)


def begin(session: Session, name: str, sweep: Sweep, request: Any) -> None:
    """Start a sweep of new networks, each trained on the text in its settings."""
    session.experiments.begin(name, LiveRun(sweep), request)
    resume_sweep(session, name)


def resume_sweep(session: Session, name: str) -> None:
    """Start or resume the sweep until all members have ended."""
    run = session.experiments[name]
    run.play(until=len(run.source.members))


def buttons(session: Session, name: str) -> list[Button]:
    """The button that starts or stops the sweep, and the one that resumes it. The key K presses the button with the play or pause
    icon, which never discards results."""
    trains, run = session.experiments.playing(name), session.experiments.get(name)
    unfinished = run is not None and run.source.step < len(run.source.members)
    begin = Button("begin", _("Train side by side"), "reset" if run else "play", True)
    first = Button("stop", _("Stop"), "pause", True) if trains else begin
    return [first, Button("go_on", _("Go on") if unfinished and not trains else "", "play")]


def press(session: Session, name: str, what: str) -> None:
    """Stop or resume the sweep; the page itself handles the start button."""
    if what == "stop":
        session.experiments[name].pause()
    elif what == "go_on":
        resume_sweep(session, name)


def charts(session: Session, name: str, knob: str, theory: Sequence[float] = (), start: float = USUAL_START) -> None:
    """Draw the learning curves, and beside them the reached perplexity over the values of ``knob``. ``theory``: the theoretical
    perplexity for each value, if known. ``start``: the approximate initial perplexity of all networks."""
    run = session.experiments[name]
    snapshot = run.snapshot()
    seen = snapshot.view
    seeds = max(len(group.members) for group in grouped(seen.members, knob))
    elements.progress(sentences(progress_words(seen, run.playing), best_words(seen.members, knob, seeds=seeds)))
    elements.notice(*failure_words(seen.members, knob), *([snapshot.reason] if snapshot.state == "failed" else []))
    _draw(name, seen.members, knob, run.source.budget, {"theory": theory, "start": start})


def planned_charts(
    name: str, plans: Sequence[Settings], budget: Budget, knob: str, theory: Sequence[float], start: float
) -> None:
    """Draw the charts before training starts, with the theoretical perplexity of each value."""
    elements.note(_("{n} networks will be trained.", n=len(plans)))
    _draw(name, tuple(map(Member, plans)), knob, budget, {"theory": theory, "start": start})


def _draw(name: str, members: Sequence[Member], knob: str, budget: Budget, known: Mapping[str, Any]) -> None:
    groups = grouped(members, knob)
    judged_on = _("held-out text") if members[0].settings.validation_share else _("training text")
    left, right = st.columns(COLUMNS, gap="small")
    label = sweep_label(groups, knob)
    with left:
        figure = curves_figure(groups, knob, budget, judged_on=judged_on, **known)
        live_figure(figure, key=f"{name}_curves", label=label)
    with right:
        figure = reached_figure(groups, knob, judged_on=judged_on, **known)
        live_figure(figure, key=f"{name}_reached", label=label)
