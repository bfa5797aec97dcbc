"""The weights: a histogram of each matrix, after initialisation and now."""

import streamlit as st

from core.analysis.weights import spreads
from core.config.language import gettext as _
from core.models.params import Params
from pages.app.layout import elements
from pages.app.session.session import Session
from pages.app.session.session_cache import RefreshPolicy, cached_for_corpus, cached_for_run
from pages.app.widgets.components import live_figure
from pages.content.guide import HINTS
from pages.content.notation import in_notation
from pages.figures.parts.chart import Figure
from pages.figures.training.weights import weights_figure, weights_words

EVERY = 2.0  # seconds between two reruns while the run trains
FOLLOWING = RefreshPolicy(20.0, EVERY)


def show(session: Session) -> None:
    """Draw a histogram of each matrix of the run, now and at the start."""
    elements.heading(_("The weights"), _("how many of them are how large: at the start (grey, dashed) and now (blue)"))
    elements.hint(HINTS["training"]["weights"])
    found = _histograms(session)
    for column, (name, *drawn) in zip(st.columns(len(found), gap="small"), found, strict=True):
        with column:
            figure, label = in_notation(drawn, session.settings.notation)
            live_figure(figure, key=f"weights_{name}", label=label)


def _histograms(session: Session) -> list[tuple[str, Figure, str]]:
    """The name, histogram and description of each matrix; those of untrained networks are shared by all sessions."""
    first = session.monitored.history.moments.first

    def drawn(now: Params) -> list[tuple[str, Figure, str]]:
        return [(spread.name, weights_figure(spread), weights_words(spread)) for spread in spreads(first.params, now)]

    if session.monitored.is_initial and not session.past:
        return cached_for_corpus(session, "weights", lambda: drawn(first.params), first.serial)
    return cached_for_run(session, "weights", lambda: drawn(session.params()), refresh=FOLLOWING, is_quick=True)
