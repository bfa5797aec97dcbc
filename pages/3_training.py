"""How low does the perplexity go, and what bends the curve?"""

from typing import Any

import streamlit as st

from core.content.guide import HINTS
from core.content.lessons import chosen
from core.figures.parts.models_table import Network, models_grid
from core.figures.parts.numbers import amount, count, number
from core.figures.parts.symbols import kind_of
from core.figures.parts.words import put_back
from core.figures.training.expected_curve import expectation_status
from core.figures.training.perplexity_curve import Curves, training_figure
from core.figures.training.readout import readout
from core.figures.training.writing import writing_scene
from core.text.corpus import floor_of
from core.training.curves import Point, thin
from core.training.memory_estimate import estimate_bytes
from core.training.run.live_run import Snapshot
from pages.app.layout import elements
from pages.app.navigation.section_tabs import auto_refresh
from pages.app.navigation.url_state import sync_url
from pages.app.panels.commands import command, go, remedy
from pages.app.panels.settings_controls import live_knobs, restarting
from pages.app.session.session import Session, stage
from pages.app.widgets.display_components import grid, writing
from pages.app.widgets.input_components import run_view, transport
from pages.training.expectation import draw, expect, room_to_draw
from pages.training.fetching import fetching
from pages.training.own_text import own_text
from pages.training.presets import presets
from pages.training.sweep import sweep
from pages.training.take_home import take_home
from pages.training.weights import EVERY as EVERY_WEIGHT
from pages.training.weights import weights

EVERY = 0.2  # seconds between two pictures while the run trains
POINTS, EARLY = 200, 40  # of a curve, at most, in one picture; and how many of its first are all in it
TARGETS = {"run_to": 1000, "run_to_epoch": 10}  # the update and the epoch that "run to" offers first


def page() -> None:
    here = stage()
    presets(here)
    said = _problem(here)
    elements.notice(*(sentence for sentence in (*here.notices, said) if sentence not in ("", here.own_text_notice)))
    here.undo_offered = _undo(here)
    auto_refresh(bar, lambda: here.run.playing, None, here, said)
    auto_refresh(picture, lambda: here.run.playing, EVERY, here, said)
    auto_refresh(knobs, lambda: here.run.playing, None, here, said)
    elements.hint(HINTS["training"]["run"])
    writing(_writing(here, here.snapshot()))
    elements.hint(HINTS["training"]["overfitting"])
    with st.container(key="restarts"):
        restarts(here)
    with st.container(key="more"):
        more(here)


def more(here: Session) -> None:
    """Below what is set: other values beside it, the weights, what counting costs, and the run as a file."""
    sweep(here)
    auto_refresh(weights, lambda: here.run.playing, EVERY_WEIGHT, here)
    if here.baselines:
        what_lines_cost(here)
    take_home(here)


def _problem(here: Session) -> str:
    """Why something cannot be done; what belongs to a control is told beside that."""
    return "" if here.problem_of else here.problem


def bar(here: Session, said: str) -> None:
    """The bar that plays the run. A command draws the whole page; the speed concerns this part alone."""
    _check_problem(here, said)
    settings = here.settings
    transport(
        playing=here.run.playing,
        targets=TARGETS,
        speed=settings.speed,
        across=settings.across,
        on_command=lambda what, value: _command(here, what, value),
    )
    sync_url(here)


def _command(here: Session, what: str, value: Any) -> None:
    command(here, what, value)
    if what != "speed":
        st.rerun()


def picture(here: Session, said: str) -> None:
    """The chart, and the numbers beside it; and for the sample below, what the network writes now. Drawn several times a
    second."""
    snapshot = here.snapshot()
    run_view(
        _figure(here),
        readout(snapshot, here.corpus, on_training_text=here.watched.held_out.on_training_text),
        _writing(here, snapshot),
        expectation_status(here.expected, here.watched.history.judged, drawing=here.drawing, across=here.settings.across),
        keep=f"{here.watched.serial}/{here.settings.across}",
        label=_label(here),
        on_remedy=lambda what: _remedy(here, what),
        on_go=lambda update: go(here, update),
        on_draw=lambda begins: draw(here, begins),
        on_expect=lambda *drawn: expect(here, *drawn),
    )
    _check_problem(here, said)
    if not here.dragging and _undo(here) != here.undo_offered:  # the run has obeyed since the knobs were drawn
        st.rerun()


def knobs(here: Session, said: str) -> None:
    """What acts on the run while it is dragged."""
    _check_problem(here, said)
    here.undo_offered = _undo(here)
    live_knobs(here, here.undo_offered)
    if not here.dragging:
        sync_url(here)


def _check_problem(here: Session, said: str) -> None:
    """Draw the whole page where another problem stands above than ``said``."""
    if _problem(here) != said:
        st.rerun()


def _writing(here: Session, snapshot: Snapshot) -> dict:
    return writing_scene(snapshot, here.watched.history, is_text=here.corpus.is_text, past=here.past is not None)


def _remedy(here: Session, what: str) -> None:
    remedy(here, what)
    st.rerun()  # all of the page: a knob was moved, and the run trains again or has stopped anew


def _figure(here: Session) -> dict:
    history, settings = here.watched.history, here.settings
    training = thin(list(zip(history.training.points, history.training.smooth, strict=False)), POINTS, EARLY)
    curves = Curves(
        judged=thin(list(history.judged), POINTS, EARLY),
        training=[point for point, _ in training],
        smooth=[Point(at.update, at.tokens, at.seconds, smooth, at.epoch) for at, smooth in training],
        ghosts=here.ghosts,
        now=here.snapshot().view.judgement,
        flags=list(history.flags),
        epochs=thin(list(history.epochs.points), POINTS, EARLY),
        past=here.past.view.judged if here.past else None,
        expected=here.expected,
        room=room_to_draw(here),
    )
    return training_figure(
        curves,
        settings,
        here.baselines,
        floor=floor_of(here.corpus, settings),
        vocab_size=here.corpus.tokenizer.size,
        across=settings.across,
        updates_per_epoch=here.watched.trainer.updates_per_epoch,
        judged_on="training text" if here.watched.held_out.on_training_text else "held-out text",
        lesson=chosen(settings),
    )


def _label(here: Session) -> str:
    view = here.snapshot().view
    return f"Perplexity against {here.settings.across}: {number(view.perplexity)} at update {count(view.point.update)}."


def _undo(here: Session) -> tuple[str, str]:
    """What undo would put back now, and how far it would take the network back; empty where there is nothing to undo."""
    newest, before = here.watched.history.moves[-1:], here.watched.before_last_move()
    return put_back(newest[0], before.update if before else None) if newest else ("", "")


def restarts(here: Session) -> None:
    """What restarts training: the text, the sizes. A change starts a new run at once."""
    memory = amount(estimate_bytes(here.settings, here.corpus.tokenizer.size))
    elements.heading(
        "Restarts training",
        f"a change starts a new run; the old curve stays as a ghost. This run takes about {memory}B of memory.",
    )
    elements.hint(HINTS["training"]["restarts"])
    for column, group in zip(st.columns(3, gap="medium"), ("text", "network", "training"), strict=True):
        with column:
            restarting(here, group)
            if group == "text":
                fetching(here)
                own_text(here)
                for sentence in here.corpus.notices:
                    elements.note(sentence)


def what_lines_cost(here: Session) -> None:
    """What each line of the chart costs."""
    elements.heading("Counting against learning", "the lines of the chart, and how many numbers each of them stores")
    elements.hint(HINTS["training"]["counting"])
    network = Network("the network: the curve", here.watched.trainer.params.flat.size)
    grid(models_grid(here.baselines, network, here.corpus.tokenizer.size, kind_of(here.corpus)), key="models")


page()
