"""What if W_hh had another spectral radius? A fresh network, and beside it a copy of the live one."""

import math
import time
from typing import NamedTuple

import numpy as np
import streamlit as st

from core.analysis.clipping import clip_by_value, compare, limit_for_norm
from core.analysis.vanishing import (
    FRESH_N,
    FRESH_T,
    Experiment,
    affordable,
    at_radius,
    fresh_network,
    fresh_text,
    measure,
    passages,
)
from core.figures.gradient_flow.what_if import Live, Side, apply_words, what_if_chart
from core.figures.gradient_flow.what_if import comparison as comparison_scene
from core.figures.parts import words
from core.figures.parts.numbers import short
from core.models.params import Params
from core.models.rnn import ACTIVATIONS
from core.models.spectral_radius import spectral_radius
from core.training.live_run import compute
from core.training.optimizers import clip_by_global_norm
from pages.gradient_flow.look import Look
from pages.gradient_flow.sparing import forget, network_now, sparing
from pages.ui import frame
from pages.ui.components.comparison.comparison import comparison
from pages.ui.components.live_figure.live_figure import live_figure
from pages.ui.components.what_if.what_if import what_if
from pages.ui.state import Stage

EVERY = 1.0  # seconds between two looks at the live network
LARGEST = 512  # units: the eigenvalues of a larger W_hh would keep others from computing
COLUMNS = (1.3, 1)
CHIPS = {"vanishes": (0.5, "vanishes (0.5)"), "still": (1.1, "still vanishes (1.1)"), "explodes": (2.0, "explodes (2)")}
PLACES = {
    "radius": tuple(round(0.05 * i, 2) for i in range(2, 51)),
    "T": (1, 2, 5, 8, 10, 16, 20, 32, 40, 50, 64, 80, 100),
    "clip": (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0),
}
SLIDERS = {
    "radius": ("spectral radius of W_hh", "The largest absolute eigenvalue; W_hh is multiplied to have it"),
    "T": ("T, steps", "How many steps both networks read"),
    "clip": ("clip norm", "Length to which a gradient is shortened"),
}


class LiveNow(NamedTuple):
    """The live network as it was looked at last."""

    params: Params
    update: int
    radius: float
    text: tuple[np.ndarray, np.ndarray]
    as_is: Experiment
    looked_at: float  # when, in seconds: what is measured on it belongs to this look


def show(here: Stage, look: Look) -> None:
    """A fragment of its own: a slider that is dragged draws this section alone."""
    polls = here.run.playing and not look.live  # otherwise the page looks again anyway
    st.fragment(section, run_every=EVERY if polls else None)(here)


def section(here: Stage) -> None:
    view = st.session_state.setdefault("gradient_flow_what_if", _start(here))
    radius, T, clip, activation = view["radius"], view["T"], view["clip"], view["activation"]
    live, problem = live_side(here, view)
    fresh = _side(fresh_experiment(radius, T, activation), radius, clip)
    what_if(
        _controls(here, view, live),
        on_move=lambda name, place: _move(view, name, place),
        on_chip=lambda chip: view.update(radius=CHIPS[chip][0], T=FRESH_T, activation="tanh") if chip in CHIPS else None,
        on_activation=lambda name: view.update(activation=name) if name in ACTIVATIONS else None,
        on_apply=lambda: _apply(here, view),
    )
    left, right = st.columns(COLUMNS, gap="medium")
    scene = comparison_scene(fresh, live, clip)
    with left:
        live_figure(what_if_chart(fresh, live), key="what_if_chart", keep="", label=scene["sentence"])
    with right:
        comparison(scene, key="what_if_numbers")
    frame.notice(*problem)


def _start(here: Stage) -> dict:
    clip = here.settings.clip_norm
    return {"radius": 1.1, "T": FRESH_T, "clip": clip, "activation": here.settings.activation, "clip_at_first": clip}


def _controls(here: Stage, view: dict, live: Live | None) -> dict:
    chosen = (view["radius"], view["T"], view["activation"])
    fits = [chip for chip, (radius, _) in CHIPS.items() if chosen == (radius, FRESH_T, "tanh")]
    return {
        "chips": [[chip, says] for chip, (_, says) in CHIPS.items()],
        "chip": fits[0] if fits else "",
        "sliders": [_slider(view, name) for name in SLIDERS],
        "activations": [[name, name] for name in ACTIVATIONS],
        "activation": view["activation"],
        "apply": apply_words(live, view["radius"], view["clip"], here.settings.clip_norm),
        "applies": "Multiplies W_hh of the run that trains; φ and T would start a new run, so they stay as they are there.",
    }


def _slider(view: dict, name: str) -> dict:
    label, help = SLIDERS[name]
    places = _places(view, name)
    says = [words.value("clip_norm", place) if name == "clip" else short(place) for place in places]
    return {"name": name, "label": label, "help": help, "words": says, "at": places.index(view[name])}


def _places(view: dict, name: str) -> list:
    """Also where the run's own knob stood at first: a slider whose places change under a hand would let go of it."""
    return sorted({*PLACES[name], view[name], *([view["clip_at_first"]] if name == "clip" else [])})


def _move(view: dict, name: str, place: int) -> None:
    if name in SLIDERS:
        places = _places(view, name)
        view[name] = places[min(max(place, 0), len(places) - 1)]


def _apply(here: Stage, view: dict) -> None:
    """The one thing here that changes the run."""
    here.run.scale_to_radius(view["radius"])
    if view["clip"] != here.settings.clip_norm:
        here.move(clip_norm=view["clip"])
    forget("live")


@st.cache_resource(max_entries=1, show_spinner=False)
def _fresh() -> tuple[Params, float]:
    params = fresh_network()
    return params, spectral_radius(params.W_hh)


@st.cache_resource(max_entries=64, show_spinner=False)
def fresh_experiment(radius: float, T: int, activation: str) -> Experiment:
    """The fresh network at this radius; the same for everybody."""
    with compute():
        params, natural = _fresh()
        return measure(at_radius(params, radius, natural), fresh_text(T), activation=activation)


def live_side(here: Stage, view: dict) -> tuple[Live | None, list[str]]:
    """The live network as it is and scaled; or why not, in a sentence."""
    H, activation, radius = here.settings.hidden_size, view["activation"], view["radius"]
    if H > LARGEST:
        return None, [f"The live network is left out: with {H} units its eigenvalues take too long to follow a slider."]
    now = live_now(here, view["T"], activation)
    if not 0 < now.radius < math.inf:
        return None, ["The live network is left out: its W_hh has no spectral radius that could be scaled."]

    def scaled() -> Experiment:
        with compute():
            return measure(at_radius(now.params, radius, now.radius), now.text, activation=activation)

    found = sparing(here, "scaled", (now.looked_at, radius), None, scaled)
    told = [f"The live network is large: it reads {found.T} steps here."] if view["T"] > found.T else []
    return Live(_side(found, radius, view["clip"]), now.as_is, now.radius, now.update), told


def live_now(here: Stage, T: int, activation: str) -> LiveNow:
    """The live network, its radius and how its gradients fade as it is."""
    T, N = affordable(T, FRESH_N, here.settings.hidden_size)

    def look() -> LiveNow:
        params, update = network_now(here)
        text = passages(here.watched.held_out.source, T, N)
        with compute():
            radius, as_is = spectral_radius(params.W_hh), measure(params, text, activation=activation)
        return LiveNow(params, update, radius, text, as_is, time.monotonic())

    return sparing(here, "live", (here.run, T, N, activation), (here.watched.step, len(here.watched.history.flags)), look)


def _side(found: Experiment, radius: float, clip: float) -> Side:
    """With what clipping by norm, as training does it, and by value, to the same length, make of its gradient."""
    if not clip:
        return Side(found, radius, None, None)
    gradient, by_norm = found.gradient, found.gradient.copy()
    clip_by_global_norm(by_norm, clip)
    by_value = clip_by_value(gradient, limit_for_norm(gradient, clip))
    return Side(found, radius, compare(gradient, by_norm), compare(gradient, by_value))
