"""What does a loss still tell a state that lies far back?"""

import streamlit as st

from core.analysis.backward import go_back
from core.analysis.gradient_flow import LagCurve, gradient_flow, lag_curve
from core.analysis.unrolled import Reading, unroll
from core.figures.gradient_flow.lag import lag_figure, lag_sentence, rate_in_words
from core.figures.parts.backward import backward_numbers, backward_scene
from core.figures.parts.network import network_scene
from core.figures.parts.triangle import flow_triangle
from core.figures.unrolled.step_numbers import substeps
from core.models import rnn
from core.training.live_run import compute
from pages.gradient_flow import cost, gradient_check, history, jacobian, shares, what_if
from pages.gradient_flow.look import Look
from pages.ui import frame
from pages.ui.address import asked_for, follow
from pages.ui.components.backward_numbers.backward_numbers import backward_numbers as numbers_panel
from pages.ui.components.live_figure.live_figure import live_figure
from pages.ui.components.network.network import network
from pages.ui.components.sections.sections import sections
from pages.ui.components.triangle.triangle import triangle
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
from pages.ui.source import source
from pages.ui.state import Stage, stage

EVERY = 1.5  # seconds between two looks at the run while it trains
PAGE = LINK = "gradient_flow"
HEAD = (570, 200, 202)  # widths of the title and of what is chosen beside it
PANELS = (356, 318, 266)  # px of what stands side by side under the drawing
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
    if f"{PAGE}_view" not in st.session_state:
        st.session_state[f"{PAGE}_view"] = {"section": asked_for(here, "section", SECTIONS)}
    frame.notice(*here.notices)
    polls = which == LIVE and here.run.playing
    st.fragment(body, run_every=EVERY if polls else None)(here, text, typed, which)


def body(here: Stage, text: str, typed: str, which: str) -> None:
    """The drawing, what belongs to it, and the section that is chosen; again every second while the run looked at trains."""
    if which == LIVE:
        here.run.heartbeat()
    look = look_at(here, text, typed, which)
    picture(look)
    with st.container(horizontal=True, gap="small"):
        for width, panel in zip(PANELS, (step, reach, lag), strict=True):
            with st.container(width=width):
                panel(look)
    T = len(look.reading.tokens)
    frame.note(f"Sizes are norms over all units, for the sum of the losses. Training takes their mean: 1/{T} of it.")
    source("gradient_flow", rnn.backward, go_back, gradient_flow, lag_curve)
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
        flow, untrained = b.flow(), untrained_curve(here, reading, which)
    scene = network_scene(u, chosen.tokenizer) | {"backward": backward_scene(b, begin=len(u.tokens) // 2)}
    return Look(chosen, reading, u, b, flow, scene, name_of(reading, which), which == LIVE, untrained)


def untrained_curve(here: Stage, reading: Reading, which: str) -> LagCurve | None:
    """The lag curve of the live run's network as it began; the same for as long as run and text are."""
    if which != LIVE:
        return None
    first, kept = here.watched.history.moments[0].params, st.session_state.get(f"{PAGE}_untrained")
    key = (id(here.watched), reading.tokens.tobytes())
    if kept is None or kept[0] != key:
        b = go_back(first, reading.tokens, reading.targets, activation=here.settings.activation)
        kept = st.session_state[f"{PAGE}_untrained"] = (key, here.watched, lag_curve(b.flow().norms))
    return kept[2]


def picture(look: Look) -> None:
    """The network unrolled, forward and backward."""
    if look.reading.notices:
        frame.notice(" ".join(look.reading.notices))
    steps = substeps(look.forward.activation, embedded=look.network.params.W_emb is not None)
    label = f"The network unrolled over {len(look.reading.tokens)} steps, forward and backward."
    network(look.scene, link=LINK, text=look.name, substeps=steps, label=label)


def step(look: Look) -> None:
    """The step under the play head: what meets there, and what it adds to the gradients of the weights."""
    numbers_panel(backward_numbers(look.backward, look.forward, look.network.tokenizer), link=LINK, text=look.name)


def reach(look: Look) -> None:
    """How much every loss moves every state."""
    tokenizer, reading = look.network.tokenizer, look.reading
    scene = flow_triangle(look.flow, tokenizer.symbols(reading.tokens), tokenizer.symbols(reading.targets))
    triangle(scene, link=LINK, text=look.name, title="How far each loss reaches back")


def lag(look: Look) -> None:
    """Size against how far back."""
    curve = lag_curve(look.flow.norms)
    label = f"Size of the gradient against lag: {rate_in_words(curve)} per step. {lag_sentence(curve)}"
    live_figure(lag_figure(curve, look.untrained), key="gradient_flow_lag", keep=look.name, label=label)


# What can be looked at below the picture: id -> (words on the bar, what draws it).
SECTIONS = {
    "what_if": ("What if", what_if.show),
    "shares": ("Shares of dW_hh", shares.show),
    "jacobian": ("Jacobians", jacobian.show),
    "gradient_check": ("Check a gradient", gradient_check.show),
    "history": ("Over the run", history.show),
    "cost": ("Cost", cost.show),
}


def deeper(here: Stage, look: Look) -> None:
    """The bar of sections and the one that is chosen; only that one computes."""
    view = st.session_state[f"{PAGE}_view"]
    follow(here, "section", view["section"], SECTIONS)
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
