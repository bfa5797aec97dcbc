"""What happens at every step, and what is handed on to the next?"""

import streamlit as st

from core.analysis.unrolled import Unrolled, dependence, dependence_cost, suggested_units, unroll
from core.figures.parts.network import network_scene
from core.figures.unrolled.cell import cell_scene
from core.figures.unrolled.step_numbers import dependence_scene, heat_map, step_numbers, substeps
from core.models import rnn
from core.models.loss import cross_entropy
from core.training.live_run import compute
from pages.ui import frame
from pages.ui.components.cell.cell import cell
from pages.ui.components.dependence.dependence import dependence as dependence_panel
from pages.ui.components.network.network import network
from pages.ui.components.step_numbers.step_numbers import step_numbers as numbers_panel
from pages.ui.components.unit_text.unit_text import unit_text
from pages.ui.reading import (
    EXAMPLES,
    LIVE,
    OWN,
    TYPED,
    Network,
    choose_network,
    choose_text,
    name_of,
    network_of,
    next_window,
    reading_of,
    type_text,
)
from pages.ui.source import source
from pages.ui.state import Stage, stage

EVERY = 1.0  # seconds between two looks at the run while it trains
PAGE = LINK = "unrolled"
HEAD = (470, 250, 252)  # widths of the title and of what is chosen beside it
MOST_WORK = 1_200_000_000  # multiplications; beyond, running the network once per input would hold everybody up
WINDOW = "a window of the text"


def page() -> None:
    here = stage()
    left, middle, right = st.columns(HEAD, vertical_alignment="center")
    with left:
        frame.title("Unrolled", "One cell, used again at every step.")
    with middle:
        text = choose_text(PAGE, [*EXAMPLES, WINDOW, TYPED])
    with right:
        which = choose_network(here, PAGE, text)
    typed = type_text(PAGE, text)
    frame.notice(*here.notices)
    polls = which == LIVE and here.run.playing
    st.fragment(picture, run_every=EVERY if polls else None)(here, text, typed, which)


def picture(here: Stage, text: str, typed: str, which: str) -> None:
    """The drawing and its numbers; again every second while the run that is looked at trains."""
    if which == LIVE:
        here.run.heartbeat()
    looked_at = network_of(here, text, which)
    reading = reading_of(here, PAGE, text, typed, looked_at.tokenizer, looked_at.settings.cleaning)
    with compute():
        u = unroll(looked_at.params, reading.tokens, reading.targets, activation=looked_at.settings.activation)
    name = name_of(reading, which)
    scene = network_scene(u, looked_at.tokenizer)
    if reading.notices:
        frame.notice(" ".join(reading.notices))
    steps = substeps(looked_at.settings.activation, embedded=looked_at.params.W_emb is not None)
    network(scene, link=LINK, text=name, substeps=steps, label=_label(u))
    heat = heat_map(u)
    numbers_panel(step_numbers(u, looked_at.tokenizer), heat, scene, link=LINK, text=name)
    source("unrolled", rnn.forward, cross_entropy)
    if which == OWN:
        frame.note(EXAMPLES[text].says)
    next_window(PAGE, text)
    frame.heading("The cell, opened", "the step under the play head: concatenate, fully connected + φ, copy")
    cell(cell_scene(u, looked_at.params, looked_at.tokenizer, heat["drawn"]), scene, link=LINK, text=name)
    source("cell", unroll)
    frame.heading("What depends on what", "every input replaced in turn, and the network run again")
    depends(u, looked_at, name)
    source("dependence", dependence)
    frame.heading("One unit reads along", "the text coloured by its state; choose one, or click in the map of all units")
    unit_text(suggested_units(u), scene, link=LINK, text=name)
    source("unit", suggested_units)


def depends(u: Unrolled, looked_at: Network, name: str) -> None:
    """Which input moves which prediction."""
    if dependence_cost(len(u.tokens), u.h.shape[1], u.p.shape[1]) > MOST_WORK:
        frame.note("Left out: it runs the network once for every input, and this one is too large. Take a shorter text.")
        return
    with compute():
        moved = dependence(looked_at.params, u.tokens, activation=u.activation)
    dependence_panel(dependence_scene(moved, u, looked_at.tokenizer), link=LINK, text=name)


def _label(u: Unrolled) -> str:
    return f"The network unrolled over {len(u.tokens)} steps. Perplexity of this text: {u.running_perplexity[-1]:.3g}."


page()
