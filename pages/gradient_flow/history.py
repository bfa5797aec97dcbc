"""Gradient size against lag over the run: untrained, after 10, 100, 1000 ... updates, and now, all on the same text."""

from functools import partial

import numpy as np

from core.analysis.vanishing import FRESH_N, FRESH_T, affordable, measure, passages
from pages.app.navigation.section_tabs import PageState
from pages.app.session.session import Session
from pages.app.session.session_cache import cached_for_run, cached_for_serial
from pages.figures.gradient_flow.size_against_lag import MeasuredMoment, lag_history_figure, lag_history_numbers
from pages.gradient_flow.page_data import PageData, chart_and_numbers


def show(session: Session, state: PageState, data: PageData) -> None:
    text = passages(session.monitored.held_out.source, *affordable(FRESH_T, FRESH_N, session.settings.hidden_size))
    fading = partial(measure, text=text, activation=session.settings.activation)
    now = cached_for_run(session, "history", lambda: MeasuredMoment(session.update, fading(session.params().copy(np.float64))))
    moments = [
        MeasuredMoment(moment.update, cached_for_serial(session, "history", moment.serial, partial(fading, moment.params)))
        for moment in session.milestones
    ]
    chart = lag_history_figure(moments, now)
    chart_and_numbers("lag_history", chart, "lag_history_numbers", lag_history_numbers(moments, now))
