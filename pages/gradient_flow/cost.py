"""The cost of a window, measured on request."""

from collections.abc import Generator

import streamlit as st

from core.analysis.cost import Cost, lengths_for, measure, summarise
from core.config.language import gettext as _
from core.training.run.scheduler import in_slices
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.session.session import Session
from pages.app.session.session_cache import cached_for_session, forget, remembered
from pages.app.widgets.components import live_figure
from pages.figures.parts.cost_charts import cost_words, memory_figure, time_figure
from pages.figures.parts.numbers import count
from pages.gradient_flow.page_data import PageData


def show(session: Session, state: PageState, data: PageData) -> None:
    settings = session.settings
    H, V, N = settings.hidden_size, session.corpus.tokenizer.size, settings.batch_size
    sizes = (H, V, settings.embedding_size, N, settings.dtype, settings.activation)
    about = f"N = {count(N)}, H = {count(H)}, V = {count(V)}, {settings.dtype}, {settings.activation}"
    elements.heading(
        _("What a step costs"),
        _("windows of the size of the run's ({sizes}), on this machine, beside all else it does", sizes=about),
    )
    if state.pop("measure", False):
        forget(session, ("cost", sizes))
        state["measured"] = sizes
    if state.get("measured") == sizes:
        with st.spinner(_("Measuring, between the updates of training")):
            cached_for_session(session, ("cost", sizes), lambda: measured(session, N), None)
    costs = remembered(session, ("cost", sizes))
    words = _("Measure again") if costs else _("Measure")
    st.button(words, on_click=lambda: state.update(measure=True), key="gradient_flow_measure")
    if not costs:
        elements.note(_("Forward and backward over windows of 1 to 100 steps, each many times, in turn; the medians are drawn."))
        return
    elements.note(cost_words(costs))
    left, right = st.columns(2, gap="medium")
    with left:
        elements.heading(_("Time"))
        live_figure(time_figure(costs), key="cost_time", label=cost_words(costs))
    with right:
        elements.heading(_("Memory"), _("what is stored for the backward pass"))
        live_figure(memory_figure(costs), key="cost_memory", label=_("Megabytes against T, forward and backward."))


def measured(session: Session, N: int) -> Generator[None, None, list[Cost]]:
    """The median cost of windows of several lengths."""
    params = session.params()
    windows = measure(params, N, lengths_for(params, N), activation=session.settings.activation)
    return summarise((yield from in_slices(windows)))
