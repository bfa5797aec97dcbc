"""Two live runs on one chart: beside the run a second one from the same seed, in which one live knob differs. Both knobs can be
moved while both train.

The second run begins as a copy of the run, bit for bit, and follows it: it waits for each of its updates, and pauses with it.
While Training is open it also starts with the run; beside a new run it is made anew, with its own value of the knob.
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
from pages.app.widgets.control_widgets import Button, Switch, Title, controls
from pages.app.widgets.rerun import rerun_page
from pages.figures.parts import words

NAME = "second_run"  # key in session.experiments
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
    run, settings = session.monitored, session.run.settings.moved(**{knob: value})
    other = compute(lambda: run.branch(run.now(), settings))
    end(session)
    made = MonitoredRun(other)
    made.leader = session.run
    session.experiments.begin(NAME, made, Compared(run.serial, knob))


def end(session: Session) -> None:
    """Remove the second run; its curve stays as a ghost."""
    other = second(session)
    session.experiments.remove(NAME)
    if other:
        session.keep_curve(other)


def follow(session: Session) -> None:
    """Let the second run train as the run does; beside a new run, make it anew."""
    other, run = second(session), session.run
    if not other:
        return
    now, failed = compared(session), other.snapshot().failed
    moved = set(run.settings.differing(other.settings, "live")) - {now.knob}  # by a remedy
    if moved or now.serial != session.monitored.serial:
        _try(session, now.knob, getattr(other.settings, now.knob))
    elif failed != now.failed:
        session.experiments.requests[NAME] = now._replace(failed=failed)
        rerun_page()  # the bar says so
    elif _may_go_on(other) and not other.should_train and (run.should_train or other.source.step < run.source.step):
        other.play()


def _may_go_on(other: MonitoredRun) -> bool:
    """Whether it has neither failed nor learnt all that its rate, which has fallen to zero, lets it learn."""
    return not other.snapshot().failed and not other.source.stop_reason


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
    offered = [(name, words.name(name)) for name in COMPARED if KNOBS[name].acts(session.settings) and _others(session, name)]
    error = _(session.problem) if session.problem_setting == NAME else ""
    controls(
        [Title(_("Two runs from one seed"), _("equal but for one knob")), Button("end_second", _("End the comparison"), "cross")],
        [
            control(session, knob)._replace(label=_("this run: {knob}", knob=words.name(knob)), short=_("this run")),
            control(session, knob, other.settings)._replace(
                name=NAME, label=_("second run: {knob}", knob=words.name(knob)), short=_("second run"), error=error
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
        session.set_problem("")
        other.change(**{compared(session).knob: value})
        if compared(session).failed:
            other.play()
    else:
        choose(session, name, value)
    if done and not session.run.playing:
        rerun_page()


def type_value(session: Session, name: str, text: str) -> None:
    """Move a knob of either run to a typed value, or say beside that knob why it is not valid."""
    if name != NAME:
        type_in(session, name, text)
    elif second(session):  # else ended meanwhile
        try:
            move(session, NAME, read(compared(session).knob, text), True)
        except ValueError as error:
            session.set_problem(message_of(error), NAME)


def press(session: Session) -> None:
    """Begin to compare: the second run has another learning rate, until the reader chooses."""
    _begin(session, COMPARED[0])


def _begin(session: Session, knob: str) -> None:
    _try(session, knob, _others(session, knob)[0])


def _others(session: Session, knob: str) -> list[Any]:
    """Values of a knob that the run does not have."""
    settings = session.run.settings
    return [value for value in default_values(settings, knob) if value != getattr(settings, knob)]


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
