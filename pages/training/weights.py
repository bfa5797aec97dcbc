"""The weights: what the initialisation is, and what training has made of it."""

import streamlit as st

from core.analysis.weights import spreads
from core.figures.training.weights import weights_figure, weights_words
from core.notation import named
from pages.ui import frame
from pages.ui.draw import live_figure
from pages.ui.results import Pace, of_run
from pages.ui.state import Stage

EVERY = 1.0  # seconds between two looks while the run trains
FOLLOWING = Pace(20.0, EVERY)


def weights(here: Stage) -> None:
    """A histogram of each matrix of the run, now and at the start."""
    frame.heading("The weights", "how many of them are how large: at the start (grey, dashed) and now (blue)")
    frame.hint("training", "weights")
    start = here.watched.history.moments.first.params
    found = of_run(here, "weights", lambda: spreads(start, here.params()), pace=FOLLOWING)
    for column, spread in zip(st.columns(len(found), gap="small"), found, strict=True):
        with column:
            figure, label = named((weights_figure(spread), weights_words(spread)), here.settings.notation)
            live_figure(figure, key=f"weights_{spread.name}", keep="", label=label)
