"""The Training page: how low does the perplexity go, and what bends the curve?"""

from functools import partial
from typing import Any

import streamlit as st

from core.config.language import gettext as _, sentences
from core.models.loss import perplexity
from core.models.ngram import fit
from core.text.corpus import floor_of
from core.training.curves import Point, thin
from core.training.memory import estimate_bytes
from core.training.run.live_run import Snapshot
from core.training.tbptt import Trainer
from pages.app.layout import elements
from pages.app.navigation.auto_refresh import auto_refresh
from pages.app.navigation.url_state import check_names, sync_url
from pages.app.panels.commands import command, remedy, seek
from pages.app.panels.settings_controls import knob_state, live_knobs, restart_controls
from pages.app.server.page_recording import recording
from pages.app.session.session import Session, current_session
from pages.app.widgets.components import WRITING, grid, live_data, run_view, transport, writing
from pages.app.widgets.rerun import rerun_page
from pages.content.guide import HINTS, PRESET_HINTS
from pages.content.lessons import chosen
from pages.figures.parts.numbers import amount, count, number
from pages.figures.parts.symbols import kind_of
from pages.figures.perplexity.against_counting import Network, models_grid
from pages.figures.training.chart_marks import crossings
from pages.figures.training.perplexity_curve import Curves, training_figure
from pages.figures.training.readout import readout, writing_drawing
from pages.figures.training.reference_lines import expectation_status
from pages.training import corpus_download, own_text, presets, run_files, second_run, sweep, weights
from pages.training.in_scene import reason_picture, unseen, written_beside

EVERY = 0.2  # seconds between two reruns of the chart while the run trains
POINTS, EARLY = 200, 40  # points of a curve at most; the first EARLY points are never thinned
TARGETS = {"run_to": 1000, "run_to_epoch": 10}  # initial values of the two "run to" fields: an update and an epoch


def page() -> None:
    session = current_session()
    presets.show(session)
    problem = _problem(session)
    check_names(session, sweep.PARAMS)
    elements.notice(*(_(sentence) for sentence in (*session.notices, problem) if sentence not in ("", session.own_text_problem)))
    if not session.own_text_problem:
        own_text.remedy(session)
    knob_state().record_page(session)
    auto_refresh(bar, lambda: session.run.playing, None, session, problem)
    auto_refresh(picture, lambda: session.run.playing or session.experiments.playing(second_run.NAME), EVERY, session, problem)
    auto_refresh(knobs, lambda: session.run.playing, None, session, problem)
    elements.hint(HINTS["training"]["run"])
    auto_refresh(reason_picture, lambda: False, None, session)
    if session.corpus.is_text or not session.scene:
        writing({"link": WRITING, "writing": _writing(session, session.snapshot())})
    preset = chosen(session.settings)
    elements.hint(PRESET_HINTS.get(preset.name if preset else "", HINTS["training"]["overfitting"]))
    with st.container(key="restarts"):
        restarts(session)
    with st.container(key="more"):
        more(session)


def more(session: Session) -> None:
    """Draw the sections below the settings: the sweep, the weights, what counting costs, and the run as files."""
    sweep.show(session)
    auto_refresh(weights.show, lambda: session.run.playing, weights.EVERY, session)
    if session.baselines:
        what_lines_cost(session)
    with recording(None):  # not recorded: a page saved as a file offers no downloads
        run_files.show(session)
    elements.source("training", Trainer, perplexity, fit)


def _problem(session: Session) -> str:
    """The last problem, unless it is shown beside a control."""
    return "" if session.problem_setting else session.problem


def bar(session: Session, problem: str) -> None:
    """Draw the transport bar. Each command reruns the whole page, except a change of speed, which affects this fragment alone."""
    _check_problem(session, problem)
    settings = session.settings
    transport(
        {"playing": session.run.playing, "targets": TARGETS, "speed": settings.speed, "across": settings.across},
        on_press=lambda what: _command(session, what, None),
        **{f"on_{what}": partial(_command, session, what) for what in (*TARGETS, "across", "speed")},
    )
    sync_url(session)


def _command(session: Session, what: str, value: Any) -> None:
    command(session, what, value)
    if what != "speed":
        rerun_page()


def picture(session: Session, problem: str) -> None:
    """Draw the chart and the readout beside it, and send the newest sample to the writing component below. Rerun every ``EVERY``
    seconds while the run trains."""
    second_run.follow(session)
    snapshot, monitored, prediction = session.snapshot(), session.monitored, session.prediction
    across, scale, view = session.settings.across, session.settings.scale, snapshot.view
    shown = {"quantity": _(across), "perplexity": number(view.perplexity), "n": count(view.judged.update)}
    label = _("Perplexity against {quantity}: {perplexity} at update {n}.", **shown)
    data = {
        "figure": live_data(_figure(session), keep=f"{monitored.serial}/{across}/{scale}/{prediction.drawing}", label=label),
        "readout": readout(snapshot, session.corpus, on_training_text=monitored.held_out.on_training_text) | unseen(session),
        "beside": written_beside(session, snapshot),
        "writing": _writing(session, snapshot),
        "expecting": expectation_status(
            prediction.curve, monitored.history.judged, room=prediction.room(monitored), across=across
        ),
        "scale": scale,
        "link": WRITING,
    }
    run_view(
        data,
        on_remedy=lambda what: _remedy(session, what),
        on_seek=lambda update: seek(session, update),
        on_scale=lambda value: _command(session, "scale", value),
        on_draw=prediction.set_drawing,
        on_expect=lambda *line: prediction.draw(*line, session.monitored),
    )
    _check_problem(session, problem)
    if knob_state().is_outdated(session):
        rerun_page()


def knobs(session: Session, problem: str) -> None:
    """Draw the live knobs, which act on the run while they are dragged; while two runs are compared, one of each."""
    _check_problem(session, problem)
    state = knob_state()
    state.update_undo(session)
    if second_run.second(session):
        second_run.bar(session)
    else:
        live_knobs(session, on_compare=None if session.scene else lambda: second_run.press(session))
    if not state.dragging:
        sync_url(session)


def _check_problem(session: Session, problem: str) -> None:
    """Rerun the page if the problem to show is no longer ``problem``."""
    if _problem(session) != problem:
        rerun_page()


def _writing(session: Session, snapshot: Snapshot) -> dict:
    return writing_drawing(snapshot, session.monitored.history, is_text=session.corpus.is_text, past=session.past is not None)


def _remedy(session: Session, what: str) -> None:
    remedy(session, what)
    rerun_page()  # the whole page: a knob was moved, and the run trains again or has diverged again


def _figure(session: Session) -> dict:
    history, settings = session.monitored.history, session.settings
    held = session.scene.holds if session.scene else ()
    training = thin(list(zip(history.training.points, history.training.smooth, strict=False)), POINTS, EARLY)
    curves = Curves(
        judged=thin(list(history.judged), POINTS, EARLY),
        training=[point for point, _smooth in training],
        smooth=[Point(at.update, at.tokens, at.seconds, smooth, at.epoch) for at, smooth in training],
        ghosts=session.ghosts,
        second=second_run.curve(session, POINTS, EARLY),
        text=session.corpus.identity if session.ghosts else "",
        now=session.snapshot().view.judgement,
        flags=[flag for flag in history.flags if flag.old != flag.new],
        epochs=thin(list(history.epochs.points), POINTS, EARLY),
        past=session.past.view.judged if session.past else None,
        expected=session.prediction.curve,
        room=session.prediction.room(session.monitored),
        passed=crossings(history.judged, [line for line in session.baselines if line.name in held]),
    )
    return training_figure(
        curves,
        settings,
        session.baselines,
        floor=floor_of(session.corpus, settings),
        vocab_size=session.corpus.tokenizer.size,
        updates_per_epoch=session.monitored.trainer.updates_per_epoch,
        judged_on=_("training text") if session.monitored.held_out.on_training_text else _("held-out text"),
        lesson=chosen(settings),
    )


def restarts(session: Session) -> None:
    """Draw the settings that restart training, such as the text and the sizes: a change starts a new run at once."""
    memory = amount(estimate_bytes(session.settings, session.corpus.tokenizer.size))
    elements.heading(
        _("Restarts training"),
        sentences(
            _("a change starts a new run; the old curve stays as a ghost."),
            _("This run takes about {size}B of memory.", size=memory),
        ),
    )
    elements.hint(HINTS["training"]["restarts"])
    for column, group in zip(st.columns(3, gap="medium"), ("text", "network", "training"), strict=True):
        with column:
            restart_controls(session, group)
            if group == "text":
                corpus_download.show(session)
                own_text.show(session)
                for sentence in session.corpus.notices:
                    elements.note(_(sentence))


def what_lines_cost(session: Session) -> None:
    """Draw the table of how many numbers each line of the chart stores."""
    elements.heading(_("Counting against learning"), _("the lines of the chart, and how many numbers each of them stores"))
    elements.hint(HINTS["training"]["counting"])
    network = Network(_("the network: the curve"), session.monitored.trainer.params.flat.size)
    grid(models_grid(session.baselines, network, session.corpus.tokenizer.size, kind_of(session.corpus)), key="models")


page()
