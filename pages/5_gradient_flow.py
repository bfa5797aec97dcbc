"""The Gradient flow page: how much gradient does a loss pass back to a state many steps earlier?"""

import streamlit as st

from core.analysis.backward import BackwardPass, backward_pass
from core.analysis.gradient_flow import GradientFlow, LagCurve, additive_norms, gradient_flow, lag_curve
from core.analysis.unrolled import Unrolled, unroll
from core.config.language import gettext as _, lazy_gettext, sentences
from pages.app.layout import elements
from pages.app.navigation.auto_refresh import auto_refresh
from pages.app.navigation.section_tabs import PageState, bar, network_title, page_state
from pages.app.navigation.url_state import enum_param
from pages.app.panels import text_model_picker as picker
from pages.app.panels.text_model_picker import Chosen, Loaded, cached_for_network
from pages.app.server.shared_cache import StillComputing
from pages.app.session.session import Session, current_session
from pages.app.session.session_cache import IMMEDIATE, cached_for_serial
from pages.app.widgets.components import backward_numbers as numbers_panel, listing, live_figure, network, triangle
from pages.app.widgets.control_widgets import Switch, controls
from pages.app.widgets.rerun import rerun_page
from pages.content.guide import HINTS
from pages.content.notation import in_notation
from pages.figures.gradient_flow.size_against_lag import fitted_over, lag_figure, lag_sentence, rate_in_words
from pages.figures.parts.backward import backward_drawing, backward_numbers
from pages.figures.parts.network import forward_substeps, network_drawing
from pages.figures.parts.network_listing import network_listing_drawing
from pages.figures.parts.triangle import flow_triangle
from pages.gradient_flow.page_data import LINK, PageData
from pages.gradient_flow.sections import SECTIONS

EVERY = 1.5  # seconds between two reruns while the run trains
HEAD = (540, 215, 217)  # relative widths of the title and of the two selects beside it
LOSS_CHOICES = (("all", lazy_gettext("all losses")), ("last", lazy_gettext("the last loss alone")))
PARAMS = {"losses": enum_param(dict(LOSS_CHOICES))}
PANELS = (356, 318, 266)  # widths in px of the panels side by side under the drawing


def page() -> None:
    session = current_session()
    left, *others = st.columns(HEAD, vertical_alignment="center")
    chosen = picker.type_text(session, picker.choose(session, picker.SHORT_TEXTS, *others))
    with left:
        network_title(session, _("Gradient flow"), _("What a loss still tells a state that lies far back."), live=chosen.live)
    state = page_state(session, SECTIONS, params=PARAMS, others=picker.PICKER_PARAMS)
    elements.notice(*session.notices)
    opened = state.section
    if opened.alone and chosen.live:
        auto_refresh(body, lambda: session.is_live, EVERY, session, state, chosen)
        auto_refresh(section, lambda: False, None, session, state, None)
    elif chosen.live:
        auto_refresh(drawing_and_section, lambda: session.is_live, EVERY, session, state, chosen)
    else:
        loaded = body(session, state, chosen)
        auto_refresh(section, lambda: opened.needs_refresh(session, state), opened.interval, session, state, loaded)


def drawing_and_section(session: Session, state: PageState, chosen: Chosen) -> None:
    """Draw the network and the open section for the same update; rerun every ``EVERY`` seconds while the run trains. While the
    network is still computed, the tabs are there."""
    if state.section.alone:
        rerun_page()
    try:
        loaded = body(session, state, chosen)
    except StillComputing:
        bar(session, state)
        raise
    section(session, state, loaded)


def body(session: Session, state: PageState, chosen: Chosen) -> PageData:
    """Draw the network and its panels; return the data, which the open section uses, too."""
    loaded = both_passes(session, chosen)
    elements.hint(HINTS["gradient_flow"]["picture"])
    picture(session, loaded, of_last=state["losses"] == "last")
    elements.source("gradient_flow", gradient_flow, additive_norms, lit=lambda: code(loaded, of_last=state["losses"] == "last"))
    with st.container(horizontal=True, gap="small"):
        for width, panel in zip(PANELS, (step, reach, lag), strict=True):
            with st.container(width=width):
                panel(loaded, session.settings.notation)
    losses = [(which, _(words)) for which, words in LOSS_CHOICES]
    controls(
        [Switch("losses", _("arrows carry the gradient of"), losses, state["losses"])],
        label=_("Arrows"),
        on_move=lambda name, value, _done: state.update({name: value}),
        hidden_in_scenes={"losses"},
        key="arrows",
    )
    T = len(loaded.reading.tokens)
    elements.note(_("Sizes are norms over all units, for the sum of the losses. Training takes their mean: 1/{T} of it.", T=T))
    picker.describe_network(chosen)
    picker.next_window_button(session, chosen)
    return loaded


def section(session: Session, state: PageState, loaded: PageData | None) -> None:
    """Draw the tabs of the sections and the open section. None: the section that was open is drawn apart from the network."""
    if loaded is None and not state.section.alone:
        rerun_page()
    bar(session, state)
    elements.hint(state.section.hint)
    state.section.show(session, state, loaded)


def both_passes(session: Session, chosen: Chosen) -> PageData:
    """The forward and backward pass over the chosen text."""
    loaded = picker.load_chosen(session, chosen)
    network, reading, _name = loaded
    window, how = (network.params, reading.tokens, reading.targets), network.settings.activation

    def passes() -> tuple[Unrolled, BackwardPass, GradientFlow, LagCurve]:
        b = backward_pass(*window, activation=how)
        return unroll(*window, activation=how), b, b.flow(), lag_curve(additive_norms(*window, activation=how))

    found = cached_for_network(session, "there and back", passes, loaded, refresh=IMMEDIATE)
    return PageData(*loaded, *found, untrained_curve(session, loaded) if chosen.live else None)


def untrained_curve(session: Session, loaded: Loaded) -> LagCurve:
    """The lag curve of the live run's network before its first update."""
    first, reading, activation = session.monitored.history.moments.first, loaded.reading, session.settings.activation

    def curve() -> LagCurve:
        return lag_curve(backward_pass(first.params, reading.tokens, reading.targets, activation=activation).flow().norms)

    return cached_for_serial(session, "untrained", first.serial, curve, loaded.name)


def picture(session: Session, data: PageData, *, of_last: bool) -> None:
    """Draw the network unrolled, forward and backward: the gradient of all losses or (``of_last``) of the last one."""
    u, notation = data.forward, session.settings.notation
    drawing = network_drawing(u, data.network.tokenizer, notation=notation, in_scene=bool(session.scene))
    back = backward_drawing(data.backward, begin=len(u.tokens) // 2, of_last=of_last)
    drawing["backward"] = in_notation(back, notation)
    picker.show_notices(data.reading)
    steps = in_notation(forward_substeps(u.activation, embedded=data.network.params.W_emb is not None), notation)
    label = _("The network unrolled over {T} steps, forward and backward.", T=len(u.tokens))
    network(
        {"link": LINK, "text": data.name, "drawing": drawing, "substeps": steps, "label": label, "plays": False, "aside": False}
    )


def code(data: PageData, *, of_last: bool) -> None:
    """Draw the code of both passes, in which the lines of the present sub-step are lit."""
    drawing = network_listing_drawing(data.forward, data.network.params, data.backward, of_last=of_last)
    listing({"link": LINK, "drawing": drawing})


def step(data: PageData, notation: str) -> None:
    """Draw the numbers of the step under the play head: the gradients summed at its state, and its terms of dW."""
    numbers = in_notation(backward_numbers(data.backward, data.forward), notation)
    numbers_panel({"link": LINK, "text": data.name, "numbers": numbers})


def reach(data: PageData, _notation: str) -> None:
    """Draw the triangle of gradient norms: of every loss with respect to every earlier state."""
    tokenizer, reading = data.network.tokenizer, data.reading
    drawing = flow_triangle(data.flow, tokenizer.symbols(reading.tokens), tokenizer.symbols(reading.targets))
    triangle(drawing, link=LINK, text=data.name, title=_("How far each loss reaches back"))


def lag(data: PageData, _notation: str) -> None:
    """Draw the chart of gradient size against lag."""
    curve = lag_curve(data.flow.norms)
    rate = {"rate": rate_in_words(curve), "fitted": fitted_over(curve)}
    label = sentences(_("Size of the gradient against lag: {rate} per step, {fitted}.", **rate), lag_sentence(curve))
    live_figure(lag_figure(curve, data.untrained, data.additive), key="gradient_flow_lag", keep=data.name, label=label)


page()
