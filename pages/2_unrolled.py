"""The Unrolled page: what happens at every step, and what is passed on to the next?"""

import streamlit as st

from core.analysis.unrolled import Dependence, Unrolled, affordable_replacements, dependence, suggested_units, unroll
from core.config.language import gettext as _
from core.models import rnn
from core.training.simple_rnnlm import (
    RNN,
    RnnlmTrainer,
    SimpleRnnlm,
    TimeAffine,
    TimeEmbedding,
    TimeRNN,
    TimeSoftmaxWithLoss,
)
from pages.app.layout import elements
from pages.app.navigation.auto_refresh import auto_refresh
from pages.app.navigation.url_state import check_names
from pages.app.panels import text_model_picker as picker
from pages.app.panels.text_model_picker import Chosen, Loaded, cached_for_network
from pages.app.session.session import Session, current_session
from pages.app.session.session_cache import IMMEDIATE, cached_for_session
from pages.app.widgets.components import (
    cell,
    column_labels,
    dependence as dependence_panel,
    layers,
    listing,
    network,
    product,
    step_numbers as numbers_panel,
    unit_text,
)
from pages.content.guide import HINTS
from pages.content.notation import in_notation
from pages.figures.parts.network import NetworkDrawing, forward_substeps, network_drawing
from pages.figures.parts.network_listing import network_listing_drawing
from pages.figures.parts.numbers import number
from pages.figures.parts.triangle import dependence_drawing
from pages.figures.unrolled.cell_drawings import cell_drawing, heat_map, layers_drawing, units_of
from pages.figures.unrolled.step_numbers import product_drawing, step_numbers
from pages.unrolled import replacement

EVERY = 1.0  # seconds between two reruns while the run trains
LINK = "unrolled"
HEAD = (470, 250, 252)  # relative widths of the title and of the two selects beside it
MOST_WORK = 1_200_000_000  # multiplications at most for the dependence panel: more would delay all sessions
WINDOW = "a window of the text"


def page() -> None:
    session = current_session()
    check_names(session, {*picker.PICKER_PARAMS, *replacement.PARAMS})
    left, *others = st.columns(HEAD, vertical_alignment="center")
    with left:
        elements.title(_("Unrolled"), _("One cell, used again at every step."))
    chosen = picker.choose(session, [*picker.EXAMPLE_TEXTS, WINDOW, picker.TYPED], *others)
    chosen = picker.type_text(session, chosen)
    elements.notice(*session.notices)
    for part in (picture, replacement.show):  # apart: a choice in one does not draw the other again
        auto_refresh(part, lambda: chosen.live and session.is_live, EVERY, session, chosen)


def picture(session: Session, chosen: Chosen) -> None:
    """Draw the network and its numbers; rerun every second while the page shows the live run and it trains."""
    loaded = picker.load_chosen(session, chosen)
    (params, tokenizer, settings, *_rest), reading, name = loaded
    window, how = (params, reading.tokens, reading.targets), settings.activation
    u = cached_for_network(session, "unrolled", lambda: unroll(*window, activation=how), loaded, refresh=IMMEDIATE)
    units = cached_for_session(session, "units", lambda: units_of(u), (loaded.network.key, name))  # so units keep their places
    notation, embedded = session.settings.notation, params.W_emb is not None
    drawing = network_drawing(u, tokenizer, units.drawn, notation, in_scene=bool(session.scene))
    picker.show_notices(reading)
    steps = in_notation(forward_substeps(how, embedded=embedded), notation)
    elements.hint(HINTS["unrolled"]["picture"])
    sizes = {"T": len(u.tokens), "perplexity": number(u.running_perplexity[-1])}
    label = _("The network unrolled over {T} steps. Perplexity of this text: {perplexity}.", **sizes)
    linked = {"link": LINK, "text": name}
    network(linked | {"drawing": drawing, "substeps": steps, "label": label, "plays": False, "aside": False})
    elements.source("unrolled", lit=lambda: listing({"link": LINK, "drawing": network_listing_drawing(u, params)}))
    heat = heat_map(u, units)
    numbers = step_numbers(u, tokenizer, units.listed, embedded=embedded, notation=notation)
    numbers_panel(linked | {"columns": column_labels(drawing), "numbers": numbers, "heat": heat})
    picker.describe_network(chosen)
    picker.next_window_button(session, chosen)
    details(session, loaded, u, drawing, heat["drawn"])


def details(session: Session, loaded: Loaded, u: Unrolled, drawing: NetworkDrawing, drawn: list[int]) -> None:
    """Draw the sections below the network: its cell with the units ``drawn``, layers, product rule, dependence, one unit."""
    params, tokenizer, notation = loaded.network.params, loaded.network.tokenizer, session.settings.notation
    linked = {"link": LINK, "text": loaded.name}
    columns = linked | {"columns": column_labels(drawing)}
    opened = _("the step under the play head: concatenate, fully connected + {activation}, copy", activation=u.activation)
    begin("cell", _("The cell, opened"), opened)
    cell(linked | {"units": drawing["units"], "cell": cell_drawing(u, params, tokenizer, drawn, notation)})
    elements.source("cell", rnn.step)
    begin("layers", _("The layers, stacked over time"), _("the same network by the names of Deep Learning from Scratch 2"))
    layers(columns | {"drawing": in_notation(layers_drawing(u, params), notation)})
    elements.source("layers", TimeRNN, RNN, TimeEmbedding, TimeAffine, TimeSoftmaxWithLoss, SimpleRnnlm, RnnlmTrainer)
    begin("product", _("The product rule"), _("the probability of the text, one factor per step up to the play head"))
    product(linked | {"drawing": product_drawing(u, tokenizer)})
    elements.source("product", Unrolled)
    begin("dependence", _("What depends on what"), _("every input replaced by others in turn, and the network run again"))
    depends(session, u, loaded)
    elements.source("dependence", dependence)
    coloured = _("the text coloured by the state of one unit: choose it here or in the map above")
    begin("unit", _("One unit over the text"), coloured)
    unit_text(columns | {"suggestions": suggested_units(u)})
    elements.source("unit", suggested_units)


def begin(name: str, title: str, about: str) -> None:
    """Draw the heading of a section and its hint, in a container to which links scroll."""
    with elements.place(f"part_{name}"):
        elements.heading(title, about)
        elements.hint(HINTS["unrolled"][name])


def depends(session: Session, u: Unrolled, loaded: Loaded) -> None:
    """Draw how much each prediction changes when each input is replaced."""
    many = affordable_replacements(len(u.tokens), u.h.shape[1], u.p.shape[1], MOST_WORK)
    if not many:
        elements.note(_("Left out: it runs the network again for every input, and this one is too large. Take a shorter text."))
        return
    params, tokenizer = loaded.network.params, loaded.network.tokenizer

    def replaced() -> Dependence:
        return dependence(params, u.tokens, activation=u.activation, replacements=many)

    change = cached_for_network(session, "change", replaced, loaded)
    dependence_panel({"link": LINK, "text": loaded.name, "drawing": dependence_drawing(change, u, tokenizer)})


page()
