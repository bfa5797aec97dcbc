"""What does a loss still tell a state that lies far back?"""

import streamlit as st

from core.analysis.backward import go_back
from core.analysis.unrolled import unroll
from core.figures.backward import backward_scene
from core.figures.network import network_scene
from core.figures.unrolled import substeps
from core.training.live_run import compute
from pages.gradient_flow_sections.look import Look
from pages.ui import frame
from pages.ui.components.network.network import network
from pages.ui.components.sections.sections import sections
from pages.ui.reading import (
    EXAMPLES,
    LIVE,
    OWN,
    TYPED,
    choose_network,
    choose_text,
    name_of,
    network_of,
    next_window,
    reading_of,
    type_text,
)
from pages.ui.state import Stage, stage

EVERY = 1.0  # seconds between two looks at the run while it trains
PAGE = LINK = "gradient_flow"
HEAD = (570, 200, 202)  # widths of the title and of what is chosen beside it
TEXTS = ("a short window", "a long window", *EXAMPLES, TYPED)


def page() -> None:
    here = stage()
    left, middle, right = st.columns(HEAD, vertical_alignment="center")
    with left:
        frame.title("Gradient flow", "What a loss still tells a state that lies far back.")
    with middle:
        text = choose_text(PAGE, TEXTS)
    with right:
        which = choose_network(here, PAGE, text)
    typed = type_text(PAGE, text)
    polls = which == LIVE and here.run.playing
    st.fragment(body, run_every=EVERY if polls else None)(here, text, typed, which)


def body(here: Stage, text: str, typed: str, which: str) -> None:
    """The drawing, what belongs to it, and the section that is chosen; again every second while the run looked at trains."""
    if which == LIVE:
        here.run.heartbeat()
    look = look_at(here, text, typed, which)
    picture(look)
    if which == OWN:
        frame.note(EXAMPLES[text].says)
    next_window(PAGE, text)
    deeper(here, look)


def look_at(here: Stage, text: str, typed: str, which: str) -> Look:
    """The chosen network's way over the chosen text and back."""
    chosen = network_of(here, text, which)
    reading = reading_of(here, PAGE, text, typed, chosen.tokenizer, chosen.settings.cleaning)
    with compute():
        window, how = (chosen.params, reading.tokens, reading.targets), chosen.settings.activation
        u, b = unroll(*window, activation=how), go_back(*window, activation=how)
        flow = b.flow()
    scene = network_scene(u, chosen.tokenizer) | {"backward": backward_scene(b, begin=len(u.tokens) // 2)}
    return Look(chosen, reading, u, b, flow, scene, name_of(reading, which), which == LIVE)


def picture(look: Look) -> None:
    """The network unrolled, forward and backward."""
    if look.reading.notices:
        frame.notice(" ".join(look.reading.notices))
    steps = substeps(look.forward.activation, embedded=look.network.params.W_emb is not None)
    network(
        look.scene, link=LINK, text=look.name, substeps=steps, label=f"The network unrolled over {len(look.forward.h) - 1} steps."
    )


# What can be looked at below the picture: id -> (words on the bar, what draws it).
SECTIONS = {}


def deeper(here: Stage, look: Look) -> None:
    """The bar of sections and the one that is chosen; only that one computes."""
    if not SECTIONS:
        return
    view = st.session_state.setdefault(f"{PAGE}_view", {"section": next(iter(SECTIONS))})
    sections(
        view["section"],
        {name: words for name, (words, _) in SECTIONS.items()},
        label="Section",
        picks=[],
        press="",
        on_choose=lambda name: view.update(section=name if name in SECTIONS else view["section"]),
        on_pick=lambda name, value: None,
        on_press=lambda: None,
    )
    SECTIONS[view["section"]][1](here, look)


page()
