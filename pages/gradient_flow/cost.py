"""What a window costs, measured when asked for."""

import streamlit as st

from core.analysis.cost import Cost, Sample, lengths_for, measure, summarise
from core.figures.gradient_flow.cost import cost_words, memory_figure, time_figure
from core.figures.parts.numbers import count
from core.training.live_run import compute
from pages.gradient_flow.look import Look
from pages.gradient_flow.sparing import network_now
from pages.ui import frame
from pages.ui.components.live_figure.live_figure import live_figure
from pages.ui.state import Stage


def show(here: Stage, look: Look) -> None:
    st.fragment(section)(here)


def section(here: Stage) -> None:
    settings = here.settings
    H, V, N = settings.hidden_size, here.corpus.tokenizer.size, settings.batch_size
    sizes = (H, V, settings.embedding_size, N, settings.dtype, settings.activation)
    kept = st.session_state.setdefault("gradient_flow_cost", {})
    said = f"N = {count(N)}, H = {count(H)}, V = {count(V)}, {settings.dtype}, {settings.activation}"
    frame.heading("What a step costs", f"windows of the live run's size ({said}), on this machine, while whatever else goes on")
    if kept.pop("asked", False):
        with st.spinner("Measuring, between the updates of training"):
            kept[sizes] = measured(here, N)
    st.button(
        "Measure again" if sizes in kept else "Measure", on_click=lambda: kept.update(asked=True), key="gradient_flow_measure"
    )
    if sizes not in kept:
        frame.note("Forward and backward over windows of 1 to 100 steps, each many times, in turn; the medians are drawn.")
        return
    costs = kept[sizes]
    frame.note(cost_words(costs))
    left, right = st.columns(2, gap="medium")
    with left:
        frame.heading("Time")
        live_figure(time_figure(costs), key="cost_time", keep="", label=cost_words(costs))
    with right:
        frame.heading("Memory", "what stays for the way back")
        live_figure(memory_figure(costs), key="cost_memory", keep="", label="Megabytes against T, forward and backward.")


def measured(here: Stage, N: int) -> list[Cost]:
    """One window at a time, so that training and other readers go on in between."""
    params, _ = network_now(here)
    params = params.copy(here.watched.trainer.params.dtype)
    windows, samples = measure(params, N, lengths_for(params, N), activation=here.settings.activation), []
    while True:
        here.run.heartbeat()  # this session's card cannot, as long as this runs
        with compute():
            sample: Sample | None = next(windows, None)
        if sample is None:
            return summarise(samples)
        samples.append(sample)
