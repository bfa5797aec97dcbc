"""Size against lag over the run: untrained, after 10, 100, 1000 updates, and now, all on the same text."""

import streamlit as st

from core.analysis.vanishing import FRESH_N, FRESH_T, Experiment, affordable, measure, passages
from core.figures.gradient_flow.history import Then, lag_history_figure, lag_history_numbers
from core.models.params import Params
from core.text.batches import Window
from core.training.live_run import compute
from pages.gradient_flow.look import Look
from pages.gradient_flow.sparing import network_now, sparing
from pages.ui.components.comparison.comparison import comparison
from pages.ui.components.live_figure.live_figure import live_figure
from pages.ui.state import Stage

EVERY = 1.0  # seconds between two looks at the live network
COLUMNS = (1.3, 1)


def show(here: Stage, look: Look) -> None:
    polls = here.run.playing and not look.live  # otherwise the page looks again anyway
    st.fragment(section, run_every=EVERY if polls else None)(here)


def section(here: Stage) -> None:
    text = passages(here.watched.held_out.source, *affordable(FRESH_T, FRESH_N, here.settings.hidden_size))
    now = sparing(here, "history", here.run, (here.watched.step, len(here.watched.history.flags)), lambda: _now(here, text))
    moments = [
        Then(moment.update, _then(here, moment.update, moment.params, text)) for moment in list(here.watched.history.moments)
    ]
    scene = lag_history_numbers(moments, now)
    left, right = st.columns(COLUMNS, gap="medium")
    with left:
        live_figure(lag_history_figure(moments, now), key="lag_history", keep="", label=scene["sentence"])
    with right:
        comparison(scene, key="lag_history_numbers")


def _now(here: Stage, text: Window) -> Then:
    params, update = network_now(here)
    return Then(update, _measured(here, params, text))


def _then(here: Stage, update: int, params: Params, text: Window) -> Experiment:
    """A moment is measured once."""
    kept = st.session_state.setdefault("gradient_flow_moments", {})
    if kept.get("run") is not here.run:
        kept.clear()
        kept["run"] = here.run
    if kept.get(update, (None,))[0] is not params:
        kept[update] = params, _measured(here, params, text)
    return kept[update][1]


def _measured(here: Stage, params: Params, text: Window) -> Experiment:
    with compute():
        return measure(params, text, activation=here.settings.activation)
