"""Two live runs on one chart: beside the run a second one from the same seed, in which one live knob differs. Both knobs can be
moved while both train.

The second run begins as a copy of the run, bit for bit, and follows it: it plays, pauses and steps with the run, up to the same
update. Beside a new run it is made anew, with its own value of the knob.
"""

from functools import partial
from typing import Any, NamedTuple

from core.config.language import gettext as _, message_of
from core.config.settings import KNOBS
from core.training.curves import thin
from core.training.experiments.sweep import default_values
from core.training.history import Ghost
from core.training.memory import check_room, estimate_bytes
from core.training.run.monitored_run import MonitoredRun
from core.training.run.scheduler import compute
from pages.app.layout import elements
from pages.app.panels.settings_controls import choose, control, knob_state, read, type_in
from pages.app.session.session import Session
from pages.app.session.session_run import GHOSTS
from pages.app.widgets.control_widgets import Button, Switch, Title, controls
from pages.app.widgets.rerun import rerun_page
from pages.figures.parts import words

NAME = "second_run"  # key in session.experiments
FAILED = ("diverged", "failed")  # states of a run that goes on only once its knob is moved
COMPARED = ("learning_rate", "clip_norm", "truncation")  # knobs that can differ


class Compared(NamedTuple):
    """The run beside which the second one was made, by its serial number, the knob in which it differs, and whether it failed."""

    serial: int
    knob: str
    failed: bool = False


def second(session: Session) -> MonitoredRun | None:
    """The second run, if there is one."""
    return session.experiments.get(NAME)


def compared(session: Session) -> Compared:
    return session.experiments.requests[NAME]


def begin(session: Session, knob: str, value: Any) -> None:
    """Make the second run with this value of the knob; the one before becomes a ghost."""
    check_room(estimate_bytes(session.settings, session.corpus.tokenizer.size))
    run = session.monitored
    other = compute(lambda: run.branch(run.now(), run.settings.moved(**{knob: value})))
    end(session)
    made = MonitoredRun(other)
    made.leader = session.run
    session.experiments.begin(NAME, made, Compared(run.serial, knob))


def end(session: Session) -> None:
    """Remove the second run; its curve stays as a ghost."""
    other = second(session)
    session.experiments.remove(NAME)
    if other and other.source.step:
        session.ghosts = [*session.ghosts, compute(other.source.ghost)][-GHOSTS:]


def follow(session: Session) -> None:
    """Let the second run train as the run does; beside a new run, make it anew."""
    other, run = second(session), session.run
    if not other:
        return
    now, failed = compared(session), other.snapshot().state in FAILED
    if now.serial != session.monitored.serial:
        _try(session, now.knob, getattr(other.settings, now.knob))
    elif failed != now.failed:
        session.experiments.requests[NAME] = now._replace(failed=failed)
        rerun_page()  # the bar says so
    elif _may_go_on(other) and not other.should_train and (run.should_train or other.source.step < run.source.step):
        other.speed, other.slow_until = run.speed, run.slow_until
        other.play()


def _may_go_on(other: MonitoredRun) -> bool:
    """Whether it has neither failed nor learnt all that its rate, which has fallen to zero, lets it learn."""
    return other.snapshot().state not in FAILED and not other.source.stop_reason


def curve(session: Session, points: int, early: int) -> Ghost | None:
    """The curve of the second run, of at most so many points, the first ``early`` of which are not thinned."""
    other = second(session)
    if not other:
        return None
    run, view = other.source, other.snapshot().view
    judged = tuple(thin(list(run.history.judged), points, early))
    return Ghost(other.settings, run.corpus.identity, judged, judgement=view.judgement, serial=run.serial)


def bar(session: Session) -> None:
    """Draw the knob of each run, and the choice of the knob that differs."""
    other, knob = second(session), compared(session).knob
    offered = [(name, words.name(name)) for name in COMPARED if KNOBS[name].acts(session.settings)]
    controls(
        [Title(_("Two runs from one seed"), _("equal but for one knob")), Button("end_second", _("End the comparison"), "cross")],
        [
            control(session, knob)._replace(label=_("this run: {knob}", knob=words.name(knob)), short=_("this run")),
            control(session, knob, other.settings)._replace(
                name=NAME, label=_("second run: {knob}", knob=words.name(knob)), short=_("second run"), error=""
            ),
            Switch("second_knob", _("they differ in"), offered, knob),
        ],
        label=_("Two runs from one seed"),
        on_move=partial(move, session),
        on_press=lambda _name: _end(session),
        on_type=partial(type_value, session),
        variant="live.pair",
        key=f"{NAME}_knobs",
    )
    if compared(session).failed:
        elements.notice(_("The second run: {reason}", reason=_(other.snapshot().reason)))


def move(session: Session, name: str, value: Any, done: bool) -> None:
    """Move a knob of either run, or choose another knob, in which a new second run differs."""
    knob_state().dragging = not done
    other = second(session)
    if not other:
        return  # ended meanwhile
    if name == "second_knob":
        _begin(session, value)
    elif name == NAME:
        other.change(**{compared(session).knob: value})
        if compared(session).failed:
            other.play()
    else:
        choose(session, name, value)
    if done and not session.run.playing:
        rerun_page()


def type_value(session: Session, name: str, text: str) -> None:
    """Move a knob of either run to a typed value; one that is not valid is refused beside the run's own."""
    knob, other = compared(session).knob, second(session)
    if name != NAME:
        type_in(session, name, text)
        return
    try:
        value = read(knob, text)
        other.settings.moved(**{knob: value})
    except ValueError as error:
        session.set_problem(message_of(error), knob)
    else:
        move(session, NAME, value, True)


def press(session: Session) -> None:
    """Begin to compare: the second run has another learning rate, until the reader chooses."""
    _begin(session, COMPARED[0])


def _begin(session: Session, knob: str) -> None:
    own = getattr(session.settings, knob)
    _try(session, knob, next(value for value in default_values(session.settings, knob) if value != own))
    rerun_page()


def _try(session: Session, knob: str, value: Any) -> None:
    """Make the second run, or say why that is refused: no memory is left, or the new run's windows are too short for this cut."""
    try:
        begin(session, knob, value)
    except ValueError as error:
        end(session)
        session.set_problem(message_of(error))


def _end(session: Session) -> None:
    end(session)
    rerun_page()
