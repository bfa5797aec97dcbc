"""W_hh with another spectral radius: gradient size against lag in a fresh network and in a copy of the live one."""

import math
from collections.abc import Generator, Hashable, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from core.analysis import vanishing
from core.analysis.vanishing import FRESH_N, FRESH_T, Experiment
from core.config.language import gettext as _, lazy_gettext
from core.config.settings import Settings
from core.models.initialisation import spectral_radius
from core.models.layers import ACTIVATIONS
from core.models.params import Params
from core.training.optimizers import clip_by_global_norm
from core.training.run.scheduler import in_slices
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.navigation.url_state import enum_param
from pages.app.server.shared_cache import StillComputing, cached_for_all_sessions
from pages.app.session.session import Session
from pages.app.session.session_cache import cached_for_run, cached_for_session, forget
from pages.app.widgets.components import live_figure
from pages.app.widgets.control_widgets import Button, Knob, Switch, controls
from pages.content.notation import in_notation
from pages.figures.gradient_flow.radius_comparison import (
    AtRadius,
    Live,
    Side,
    apply_words,
    comparison as comparison_drawing,
    radii_chart,
    radius_sentence,
    what_if_chart,
)
from pages.figures.parts import words
from pages.figures.parts.numbers import short
from pages.gradient_flow.page_data import LARGEST, PageData, chart_and_numbers

SEEDS = 6  # fresh networks of which the range of the factor is shown
CHIPS = {str(radius): radius for radius in (0.5, 1.05, 2.0)}  # with each of these seeds: vanishes, vanishes, explodes
PLACES = {
    "radius": tuple(round(0.05 * i, 2) for i in range(2, 51)),
    "T": (1, 2, 5, 8, 10, 16, 20, 32, 40, 50, 64, 80, 100),
    "clip": (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0),
}
PARAMS = {
    "radius": enum_param(PLACES["radius"], 1.05),
    "T": enum_param(PLACES["T"], FRESH_T),
    "clip": enum_param((None, *PLACES["clip"])),
    "phi": enum_param((None, *ACTIVATIONS)),
}
SLIDERS = {
    "radius": (
        lazy_gettext("spectral radius of W_hh"),
        lazy_gettext("The largest absolute eigenvalue; W_hh is multiplied to have it"),
    ),
    "T": (lazy_gettext("T, steps"), lazy_gettext("How many steps both networks read")),
    "clip": (lazy_gettext("clip norm"), lazy_gettext("Length to which a gradient is shortened")),
}
APPLY_HELP = lazy_gettext(
    "Multiplies W_hh of the run that trains; φ and T would start a new run, so they stay as they are there."
)


class LiveNow(NamedTuple):
    """The live network at its last measurement."""

    params: Params
    update: int
    radius: float
    text: tuple[np.ndarray, np.ndarray]
    as_is: Experiment
    progress: Hashable  # of the run at the measurement


def show(session: Session, state: PageState, data: PageData) -> None:
    chosen = _resolved(session, state)
    radius, T, clip, activation = chosen["radius"], chosen["T"], chosen["clip"], chosen["phi"]
    if session.scene:
        in_scene(session, state, chosen)
        return
    live, problem = live_side(session, chosen)
    fresh = _side(fresh_experiment(radius, T, activation), radius, clip)
    _bar(session, state, chosen, live)
    chart_and_numbers("what_if_chart", what_if_chart(fresh, live), "what_if_numbers", comparison_drawing(fresh, live, clip))
    elements.notice(*in_notation(problem, session.settings.notation))
    elements.source("what_if", vanishing.at_radius, clip_by_global_norm)


def in_scene(session: Session, state: PageState, chosen: dict) -> None:
    """Draw the fresh network alone, at every radius that was chosen so far, on the axes of all that can be chosen."""
    radius, T, activation = chosen["radius"], chosen["T"], chosen["phi"]
    state["seen"] = seen = tuple(dict.fromkeys([*state.get("seen", ()), radius]))
    _bar(session, state, chosen, None)
    found = {at: fresh_experiment(at, T, activation) for at in dict.fromkeys([*CHIPS.values(), *seen])}
    label = radius_sentence(_side(found[radius], radius, 0.0), None)

    def draw(ranges: Mapping[float, tuple[float, float]]) -> None:
        curves = [AtRadius(at, found[at], *ranges.get(at, (math.nan, math.nan))) for at in sorted(seen)]
        live_figure(radii_chart(curves, radius, list(found.values())), key="what_if_chart", label=label)

    ranges: dict[float, tuple[float, float]] = {}
    try:
        for at in seen:
            ranges[at] = rates_of_seeds(at, T, activation)
    except StillComputing:
        draw(ranges)  # meanwhile without those that are still measured
        raise
    draw(ranges)


@cached_for_all_sessions(max_entries=64)
def rates_of_seeds(radius: float, T: int, activation: str) -> Generator[None, None, tuple[float, float]]:
    """The lowest and the highest factor per step of fresh networks of ``SEEDS`` seeds."""
    rates = yield from in_slices(vanishing.fresh_rates(radius, T, activation, SEEDS))
    return min(rates), max(rates)


def _bar(session: Session, state: PageState, chosen: dict, live: Live | None) -> None:
    controls(
        *_controls(session, chosen, live),
        label=_("What if"),
        on_move=lambda name, value, _done: _move(state, name, value),
        on_press=lambda _name: _apply(session, state),
        variant="rows",
        hidden_in_scenes={"phi", *SLIDERS, "apply"},
        key="what_if",
    )


def _resolved(session: Session, state: PageState) -> dict[str, Any]:
    """The reader's choices; the settings of the run where the reader has chosen nothing."""
    of_run = {"clip": session.settings.clip_norm, "phi": session.settings.activation}
    return {name: of_run[name] if state[name] is None else state[name] for name in PARAMS}


def _controls(session: Session, chosen: dict, live: Live | None) -> tuple[list[Switch], list[Knob], list[Button]]:
    fits = [chip for chip, radius in CHIPS.items() if chosen["radius"] == radius]
    chips = [(chip, short(radius)) for chip, radius in CHIPS.items()]
    activations = [(name, name) for name in ACTIVATIONS]
    apply = apply_words(None if session.example else live, chosen["radius"], chosen["clip"], session.settings.clip_norm)
    return (
        [
            Switch("chip", _("spectral radius"), chips, fits[0] if fits else ""),
            Switch("phi", "φ", activations, chosen["phi"], _("Activation")),
        ],
        [_knob(chosen, name, session.settings) for name in SLIDERS],
        [Button("apply", apply, help=in_notation(_(APPLY_HELP), session.settings.notation))],
    )


def _knob(chosen: dict, name: str, settings: Settings) -> Knob:
    label, help = (in_notation(_(text), settings.notation) for text in SLIDERS[name])
    # The stops include the run's clip norm and do not change during a drag: other stops would end it.
    places = sorted({*PLACES[name], chosen[name], *([settings.clip_norm] if name == "clip" else [])})
    stop_labels = [words.value("clip_norm", place) if name == "clip" else short(place) for place in places]
    return Knob(name, label, stop_labels, places.index(chosen[name]), places, help)


def _move(state: PageState, name: str, value: Any) -> None:
    if name == "chip":
        state["radius"] = CHIPS[value]
    else:
        state[name] = value


def _apply(session: Session, state: PageState) -> None:
    """Scale W_hh of the live run to the chosen radius, and set its clip norm."""
    chosen = _resolved(session, state)
    session.scale_to_radius(chosen["radius"])
    if chosen["clip"] != session.settings.clip_norm:
        session.move(clip_norm=chosen["clip"])
    forget(session, "what_if")


@cache
def _fresh() -> tuple[Params, float]:
    params = vanishing.fresh_network()
    return params, spectral_radius(params.W_hh)


@cached_for_all_sessions(max_entries=64)
def fresh_experiment(radius: float, T: int, activation: str) -> Experiment:
    """The measurement of the fresh network at this radius, shared by all sessions."""
    params, natural = _fresh()
    return vanishing.measure(vanishing.at_radius(params, radius, natural), vanishing.fresh_text(T), activation=activation)


def live_side(session: Session, chosen: dict) -> tuple[Live | None, list[str]]:
    """The live network as it is and scaled, and notices; None and the reason if it cannot be scaled."""
    H, activation, radius = session.settings.hidden_size, chosen["phi"], chosen["radius"]
    if H > LARGEST:
        return None, [
            _("The network that trains is left out: with {H} units its eigenvalues take too long to follow a slider.", H=H)
        ]
    now = live_now(session, chosen["T"], activation)
    if not 0 < now.radius < math.inf:
        return None, [_("The network that trains is left out: its W_hh has no spectral radius that could be scaled.")]

    def scaled() -> Experiment:
        return vanishing.measure(vanishing.at_radius(now.params, radius, now.radius), now.text, activation=activation)

    found = cached_for_session(session, "scaled", scaled, (session.serial, now.progress, chosen["T"], activation, radius))
    notices = [_("The network that trains is large: it reads {T} steps here.", T=found.T)] if chosen["T"] > found.T else []
    return Live(_side(found, radius, chosen["clip"]), now.as_is, now.radius, now.update), notices


def live_now(session: Session, T: int, activation: str) -> LiveNow:
    """The live network, its spectral radius, and the gradient sizes measured without scaling."""
    T, N = vanishing.affordable(T, FRESH_N, session.settings.hidden_size)

    def measured() -> LiveNow:
        params, text = session.params().copy(np.float64), vanishing.passages(session.monitored.held_out.source, T, N)
        radius, as_is = spectral_radius(params.W_hh), vanishing.measure(params, text, activation=activation)
        return LiveNow(params, session.update, radius, text, as_is, session.progress)

    return cached_for_run(session, "what_if", measured, T, N, activation)


def _side(found: Experiment, radius: float, clip: float) -> Side:
    """The network with its gradient clipped by norm, as in training, and by value."""
    clipped = vanishing.both_clippings(found.gradient, clip, clip_by_global_norm) if clip else (None, None)
    return Side(found, radius, *clipped)
