"""The cut in the drawing, and what it drops: which cells, how much of their size, and which way the rest points."""

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.backward import BackwardPass, go_back
from core.analysis.resetting import go_back_resetting, sizes_resetting, unroll_resetting
from core.analysis.truncation import Cells, Truncated, blocks, mean_reach, tbptt, window
from core.analysis.unrolled import Unrolled
from core.figures.parts.backward import backward_scene
from core.figures.parts.network import network_scene
from core.figures.parts.triangle import triangle_scene
from core.figures.truncation.cut import MODES, NO_CUT, RESET, STOPS, borders, kept_panel, scheme_words, sentence, tau_chart
from core.figures.unrolled.step_numbers import substeps
from core.models import rnn
from core.training.live_run import compute
from pages.truncation import over_training
from pages.truncation.look import LARGEST, PAGE, Look, look_at
from pages.ui import frame
from pages.ui.components.kept_share.kept_share import kept_share
from pages.ui.components.network.network import network
from pages.ui.components.stops.stops import Slider, Switch, stops
from pages.ui.components.tau_chart.tau_chart import tau_chart as tau_panel
from pages.ui.components.triangle.triangle import triangle
from pages.ui.reading import (
    EXAMPLES,
    LIVE,
    OWN,
    TYPED,
    choose_network,
    choose_text,
    next_window,
    type_text,
)
from pages.ui.source import source
from pages.ui.state import Stage

LINK = PAGE
TEXTS = ("a short window", "a long window", *EXAMPLES, TYPED)
PLACES = (*STOPS, None)  # of the slider; None is the whole window
SCHEMES = (("blocks", "blocks, as in training"), ("window", "sliding window"), ("tbptt", "TBPTT(k1, τ)"))
GROUPS = (1, 2, 3, 5, 8)  # values of k1
SOURCES = "5 is Deep Learning from Scratch 2's, 35 Dive into Deep Learning's"
EVERY_K1 = "Every k1 steps the newest k1 losses go back to the start of the last k2 = τ steps; k1 is at most τ"
HEAD = (640, 332)  # widths of the schemes and of the share kept


def choose(here: Stage, view: dict, text_column: DeltaGenerator, network_column: DeltaGenerator) -> None:
    """Which text and which network, beside the title."""
    with text_column:
        view["text"] = choose_text(PAGE, TEXTS)
    with network_column:
        view["which"] = choose_network(here, PAGE, view["text"])


def show(here: Stage, view: dict, beside: DeltaGenerator) -> None:
    text, which = view["text"], view["which"]
    typed = type_text(PAGE, text)
    if which == LIVE:
        here.run.heartbeat()
    look = look_at(here, view, text, typed, which)
    T, mode = len(look.forward.tokens), view["mode"]
    tau = T if mode == NO_CUT else view["tau"] or T
    with beside:
        bar(view)
    if look.reading.notices:
        frame.notice(" ".join(look.reading.notices))
    passes = forward_and_back(look, tau, mode)
    drawing(look, *passes, tau, mode)
    frame.note(sentence(T, tau, mode, mean_reach(blocks(T, tau))))
    if which == OWN:
        frame.note(EXAMPLES[text].says)
    dropped(view, look, passes[1], tau, mode)
    if which == LIVE:
        over_training.show(here, view, look, tau)
    next_window(PAGE, text)


def bar(view: dict) -> None:
    """The stops of tau, and what happens at a border."""
    words = [*map(str, STOPS), "full"]
    stops(
        [
            Slider("tau", "cut every τ =", words, PLACES.index(view["tau"]), [PLACES.index(5), PLACES.index(35)], SOURCES, LINK),
            Switch("mode", "", list(MODES), view["mode"]),
        ],
        label="The cut",
        on_move=lambda name, value, _: moved(view, name, value),
        key="cut_bar",
    )  # fmt: skip


def moved(view: dict, name: str, value: object) -> None:
    if name == "tau" and isinstance(value, int) and 0 <= value < len(PLACES):
        view["tau"] = PLACES[value]
    elif name == "mode" and value in dict(MODES):
        view["mode"] = value
    elif name == "scheme" and value in dict(SCHEMES):
        view["scheme"] = value
    elif name == "k1" and isinstance(value, int) and 0 <= value < len(GROUPS):
        view["k1"] = GROUPS[value]


def forward_and_back(look: Look, tau: int, mode: str) -> tuple[Unrolled, BackwardPass]:
    """Both passes with the cut, once for all panels."""
    params, u = look.network.params, look.forward
    with compute():
        if mode == RESET:
            u = unroll_resetting(params, u.tokens, u.targets, tau, activation=u.activation)
            return u, go_back_resetting(params, u, tau)
        return u, go_back(params, u.tokens, u.targets, activation=u.activation, truncation=tau)


def drawing(look: Look, u: Unrolled, b: BackwardPass, tau: int, mode: str) -> None:
    """The network over several blocks, forward and back."""
    T = len(u.tokens)
    with compute():
        scene = network_scene(u, look.network.tokenizer) | {"backward": backward_scene(b, borders(T, tau, mode), begin=0)}
    steps = substeps(u.activation, embedded=look.network.params.W_emb is not None)
    cut = "" if mode == NO_CUT or tau >= T else f", cut every {tau}"
    network(scene, link=LINK, text=look.name, substeps=steps, label=f"The network unrolled over {T} steps{cut}.")


def first_kept(view: dict, T: int, tau: int) -> np.ndarray:
    """The first step that each loss reaches, by the chosen scheme; where tau is the window, all of it."""
    if view["scheme"] == "window" or tau >= T:
        return window(T, tau)
    return tbptt(T, min(view["k1"], tau), tau) if view["scheme"] == "tbptt" else blocks(T, tau)


def dropped(view: dict, look: Look, b: BackwardPass, tau: int, mode: str) -> None:
    """The triangle with its dropped cells, the kept share, and the truncated gradient beside the whole one over tau."""
    if look.cells is None:
        frame.note(f"What is dropped is left out: a state of more than {LARGEST} units takes too long here.")
        return
    T, chosen = len(look.cells), PLACES.index(view["tau"])
    taus = [T if mode == NO_CUT else min(place or T, T) for place in PLACES]
    with compute():
        curves = compared(view, look)
        sizes = sizes_resetting(b, tau) if mode == RESET else look.cells.norms
        firsts = [first_kept(view, T, at) for at in taus]
        shares = [look.cells.kept(first) for first in firsts]
    left, right = st.columns(HEAD, vertical_alignment="center")
    with left:
        schemes(view)
    with right:
        panels = [kept_panel(share, first.tolist(), mode) for share, first in zip(shares, firsts, strict=True)]
        kept_share(panels, chosen, link=LINK)
    symbols = look.network.tokenizer.symbols
    scene = triangle_scene(sizes, symbols(look.forward.tokens), symbols(look.forward.targets))
    left, middle, right = st.columns(3, gap="small")
    with left:
        says = "of the gradient with the state carried" if mode == RESET else "1: the same direction; 0: none of it"
        chart = tau_chart(curves.cosine, taus, chosen, title="Which way does it point?", says=says, y_title="cosine")
        tau_panel(chart, link=LINK, key="cosine")
    with middle:
        reaches = [None if mode == RESET or (first == 1).all() else first.tolist() for first in firsts]
        title = "Nothing to drop" if mode == RESET else "What the cut drops"
        triangle(scene, link=LINK, text=look.name, title=title, unit="", reach=reaches[chosen], reaches=reaches)
    with right:
        says = "|truncated| / |whole|"
        chart = tau_chart(curves.ratio, taus, chosen, title="How large is it?", says=says, y_title="ratio", low=0.0)
        tau_panel(chart, link=LINK, key="ratio")
    frame.note(scheme_words(view["scheme"], tau, min(view["k1"], tau), mean_reach(firsts[chosen])))
    source("truncation", rnn.backward, tbptt, Cells)


def schemes(view: dict) -> None:
    """Which cells a truncation keeps: as training does it, or as others do."""
    controls: list = [Switch("scheme", "keep", list(SCHEMES), view["scheme"])]
    if view["scheme"] == "tbptt":
        controls.append(Slider("k1", "k1 =", list(map(str, GROUPS)), GROUPS.index(view["k1"]), [], EVERY_K1))
    stops(controls, label="Scheme", on_move=lambda name, value, _: moved(view, name, value), key="scheme_bar")


def compared(view: dict, look: Look) -> Truncated:
    """The truncated gradient beside the whole one, over tau."""
    if view["scheme"] == "blocks":
        return look.whole
    T = len(look.cells)
    return look.cells.compare([first_kept(view, T, tau) for tau in range(1, T + 1)])


def moving(here: Stage, view: dict) -> bool:
    return here.run.playing and view.get("which") == LIVE
