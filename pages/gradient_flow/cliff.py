"""The cliff: gradient descent with and without clipping on the loss of a network of one unit."""

from typing import Any

import numpy as np
import streamlit as st

from core.config.language import gettext as _, lazy_gettext, sentences
from core.training.experiments import cliff
from core.training.experiments.cliff import DESCENT_RATE, JUDGED_AFTER, SHARE, Descent, Surface, starts_that_arrive
from core.training.optimizers import clip_by_global_norm
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.navigation.url_state import enum_param
from pages.app.server.shared_cache import cached_for_all_sessions
from pages.app.session.session import Session
from pages.app.widgets.components import cliff_map, comparison, live_data, live_figure
from pages.app.widgets.control_widgets import Knob, Switch, controls
from pages.content.notation import in_notation
from pages.figures.gradient_flow.cliff import (
    cliff_figure,
    cliff_numbers,
    norms_figure,
    path_steps,
    starts_figure,
    starts_sentence,
)
from pages.figures.gradient_flow.cliff_wall import wall_figure, wall_sentence
from pages.figures.parts import words
from pages.figures.parts.numbers import short
from pages.gradient_flow.page_data import PageData

PLACES = {
    "bias": tuple(round(0.05 * i, 2) for i in range(-12, 21)),
    "W": tuple(round(0.05 * i, 2) for i in range(8, 41)),
    "length": (5, 10, 15, 20, 30, 50),
    "max_norm": (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0),
}
START = {"bias": 0.4, "W": 1.4, "length": 20, "max_norm": 1.0}
PARAMS = {name: enum_param(PLACES[name], start) for name, start in START.items()} | {
    "after": enum_param(JUDGED_AFTER, JUDGED_AFTER[0])
}
SLIDERS = {
    "bias": (lazy_gettext("start b_h"), lazy_gettext("Where both paths begin, from left to right")),
    "W": (lazy_gettext("start W_hh"), lazy_gettext("Where both paths begin, from below to above")),
    "length": (lazy_gettext("T, steps"), lazy_gettext("How many steps the network reads; only the last one has a loss")),
    "max_norm": (lazy_gettext("clip norm"), lazy_gettext("Length to which a gradient is shortened")),
}
SETTLED = "settled"  # in the state: T and the clip norm when a slider was released; the map of starts takes longer than a drag
COLUMNS = (550, 422)


def show(session: Session, state: PageState, _data: PageData) -> None:
    notation, (bias, weight, T, clip_norm) = session.settings.notation, (state[name] for name in SLIDERS)
    task = _(
        "A network of one unit reads {T} tokens that say nothing; after them the answer is 1 in {n} of 10 texts. Only this "
        "answer has a loss.",
        T=T,
        n=round(10 * SHARE),
    )
    how = _("Both paths are gradient descent on b_h and W_hh alone, with rate {rate}.", rate=short(DESCENT_RATE))
    elements.note(in_notation(sentences(task, how), notation))
    bar(session, state)
    free, clipped = descent(bias, weight, T, 0.0), descent(bias, weight, T, clip_norm)
    numbers = in_notation(cliff_numbers(free, clipped), notation)
    pick = {"on_pick": lambda x, y: choose_start(state, x, y)}
    left, right = st.columns(COLUMNS, gap="small")
    with left:
        figure = in_notation(cliff_figure(surface(T), free, clipped), notation)
        steps = in_notation(path_steps(free, clipped, (PLACES["bias"], PLACES["W"])), notation)
        cliff_map(steps | {"figure": live_data(figure, keep="", label=numbers["sentence"])}, **pick)
        live_figure(norms_figure(free, clipped), key="cliff_norms", label=_("Norm of the gradient at every update."))
        why = in_notation(wall_sentence(T), notation)
        live_figure(in_notation(wall_figure(T), notation), key="cliff_wall", label=why)
        elements.note(why)
    elements.source("cliff", cliff.loss_and_gradient, cliff.descend, clip_by_global_norm)
    with right:
        comparison(numbers, key="cliff_numbers")
        starts(state, notation, pick)


def bar(session: Session, state: PageState) -> None:
    """Draw the sliders of the start, of T and of the clip norm."""
    controls(
        [_knob(name, state[name], session.settings.notation) for name in SLIDERS],
        label=_("The cliff"),
        on_move=lambda name, value, done: move(state, name, value, done),
        variant="rows",
        hidden_in_scenes=set(SLIDERS),
        key="cliff",
    )


def starts(state: PageState, notation: str, pick: dict[str, Any]) -> None:
    """Draw which starts arrive; last, as it may come later than all else."""
    after = [(str(updates), str(updates)) for updates in JUDGED_AFTER]
    controls(
        [Switch("after", _("updates from every start"), after, str(state["after"]))],
        label=_("Starts"),
        on_move=lambda name, value, done: move(state, name, value, done),
        key="cliff_after",
    )
    T, clip_norm = state.get(SETTLED) or (state["length"], state["max_norm"])
    free, clipped = (arriving(T, norm)[state["after"]] for norm in (0.0, clip_norm))
    says = starts_sentence(free, clipped, state["after"], clip_norm)
    figure = in_notation(starts_figure(free, clipped, state["after"], (state["bias"], state["W"])), notation)
    live_figure(figure, key="cliff_starts", label=says, **pick)
    elements.note(says)


def move(state: PageState, name: str, value: Any, done: bool) -> None:
    """Handle a slider or the switch."""
    state.setdefault(SETTLED, (state["length"], state["max_norm"]))
    state[name] = int(value) if name == "after" else value
    if done:
        state[SETTLED] = state["length"], state["max_norm"]


def choose_start(state: PageState, bias: float, weight: float) -> None:
    """Begin at the stops of both sliders that are nearest to this place of the map."""
    for name, chosen in (("bias", bias), ("W", weight)):
        state[name] = min(PLACES[name], key=lambda place: abs(place - chosen))


def _knob(name: str, value: Any, notation: str) -> Knob:
    label, help = (in_notation(_(text), notation) for text in SLIDERS[name])
    places = PLACES[name]
    stop_labels = [words.value("clip_norm", place) if name == "max_norm" else short(place) for place in places]
    return Knob(name, label, stop_labels, places.index(value), places, help)


@cached_for_all_sessions(max_entries=len(PLACES["length"]))
def surface(T: int) -> Surface:
    """The map, which is the same for all sessions."""
    return cliff.loss_surface(T)


@cached_for_all_sessions(max_entries=64)
def descent(bias: float, weight: float, T: int, clip_norm: float) -> Descent:
    """A descent from this point, shared by all sessions."""
    return cliff.descend(bias, weight, T, clip_norm)


@cached_for_all_sessions(max_entries=64)
def arriving(T: int, clip_norm: float) -> dict[int, np.ndarray]:
    """Which starts arrive, shared by all sessions."""
    return starts_that_arrive(T, clip_norm)
