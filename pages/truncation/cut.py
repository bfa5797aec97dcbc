"""The cut in the drawing of the network, the cells that it drops, and the size and direction of the truncated gradient."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import streamlit as st

from core.analysis import truncation
from core.analysis.backward import BackwardPass, backward_pass
from core.analysis.truncation import Truncated
from core.analysis.unrolled import Unrolled
from core.config.language import gettext as _, lazy_gettext
from core.config.link import to_text
from core.models import rnn
from core.training.run.scheduler import compute
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState, run_is_live
from pages.app.navigation.url_state import enum_param
from pages.app.panels.text_model_picker import cached_for_network, describe_network, next_window_button, show_notices, type_text
from pages.app.session.session import Session
from pages.app.session.session_cache import IMMEDIATE
from pages.app.widgets.components import kept_share, network, tau_chart as tau_panel, triangle
from pages.app.widgets.control_widgets import Slider, Switch, controls
from pages.content.notation import in_notation
from pages.content.scene import Scene
from pages.figures.parts.backward import backward_drawing
from pages.figures.parts.network import forward_substeps, network_drawing
from pages.figures.parts.triangle import triangle_drawing
from pages.figures.truncation import block_borders
from pages.figures.truncation.block_borders import MODES, NO_CUT, RESET, STOPS
from pages.figures.truncation.truncation_curves import TauChart, tau_chart
from pages.truncation import long_text, over_training
from pages.truncation.full_gradient import LARGEST, FullGradient, full_gradient

LINK = "truncation"
REASON = "dropped_at_first"  # of a scene: the terms that its first cut dropped
PLACES = (*STOPS, None)  # stops of the slider; None is the whole window
SCHEMES = (
    ("blocks", lazy_gettext("blocks, as in training")),
    ("window", lazy_gettext("sliding window")),
    ("tbptt", "TBPTT(k1, τ)"),
)
OF_BOOKS = (5, 35)  # marked stops
GROUPS = (1, 2, 3, 5, 8)  # values of k1
OF_SOURCES = lazy_gettext("5 is Deep Learning from Scratch 2's, 35 Dive into Deep Learning's")
EVERY_K1 = lazy_gettext("Every k1 steps the newest k1 losses go back to the start of the last k2 = τ steps; k1 is at most τ")
PARAMS = {
    "tau": enum_param(PLACES, 5),
    "mode": enum_param(dict(MODES)),
    "scheme": enum_param(dict(SCHEMES)),
    "k1": enum_param(GROUPS),
}
PANEL = 308  # width in px, at least, of the panels side by side under the drawing
KEPT = 390  # width in px of the kept share beside the bar
HEAD = (640, 332)  # relative widths of the scheme's controls and of the kept share


def show(session: Session, state: PageState, beside: AbstractContextManager) -> None:
    chosen = type_text(session, state["chosen"])
    data = full_gradient(session, chosen)
    T, mode = len(data.forward.tokens), state["mode"]
    tau = T if mode == NO_CUT else state["tau"] or T
    places = places_of(session, T)
    with beside, st.container(horizontal=True, gap="small"):
        with st.container():
            bar(state, places)
        kept = st.container(width=KEPT, key="kept_for_hall")  # visible only while a scene is presented
    show_notices(data.reading)
    passes = cached_for_network(session, "passes", lambda: forward_and_back(data, tau, mode), data, tau, mode, refresh=IMMEDIATE)
    drawing(session, data, *passes, tau, mode)
    sentence = block_borders.cut_sentence(T, tau, mode, truncation.mean_reach(truncation.blocks(T, tau)))
    elements.note(in_notation(sentence, session.settings.notation))
    describe_network(chosen)
    draw_truncation_panels(session, state, data, passes[1], places, kept)
    if chosen.live:
        over_training.show(session, state, data, tau)
    next_window_button(session, chosen)
    long_text.show(session, None if mode == NO_CUT else state["tau"])


def places_of(session: Session, T: int) -> Sequence[int | None]:
    """The stops of the slider: in a scene without those that cut nothing, but for the last."""
    return tuple(place for place in PLACES if place is None or place < T) if session.scene else PLACES


def stop_at(places: Sequence[int | None], tau: int | None) -> int:
    """The index of the stop for this tau; that of the whole window if it has none."""
    return places.index(tau) if tau in places else len(places) - 1


def bar(state: PageState, places: Sequence[int | None]) -> None:
    """Draw the slider of tau, and the switch of what happens at a block border."""
    words, marked = [str(place or _("full")) for place in places], [places.index(tau) for tau in OF_BOOKS if tau in places]
    controls(
        [
            Slider("tau", _("cut every τ ="), words, stop_at(places, state["tau"]), places, marked, _(OF_SOURCES), LINK),
            Switch("mode", "", [(mode, _(does)) for mode, does in MODES], state["mode"]),
        ],
        label=_("The cut"),
        on_move=lambda name, value, _: state.update({name: value}),
        hidden_in_scenes={"mode"},
        key="cut_bar",
    )  # fmt: skip


def _initial_tau(scene: Scene) -> int | None:
    """The tau with which a scene begins."""
    taus = {to_text(place): place for place in PLACES}
    return taus.get(scene.place.get("tau", ""), PARAMS["tau"].start)


def forward_and_back(data: FullGradient, tau: int, mode: str) -> tuple[Unrolled, BackwardPass]:
    """The forward and backward pass with the cut, which all panels share."""
    params, u = data.network.params, data.forward
    if mode == RESET:
        u = truncation.unroll_with_resets(params, u.tokens, u.targets, tau, activation=u.activation)
        return u, truncation.backward_with_resets(params, u, tau)
    return u, backward_pass(params, u.tokens, u.targets, activation=u.activation, truncation=tau)


def drawing(session: Session, data: FullGradient, u: Unrolled, b: BackwardPass, tau: int, mode: str) -> None:
    """Draw the network over several blocks, forward and backward."""
    T, notation = len(u.tokens), session.settings.notation
    drawing = network_drawing(u, data.network.tokenizer, notation=notation, in_scene=bool(session.scene))
    drawing["backward"] = in_notation(backward_drawing(b, block_borders.borders(T, tau, mode), begin=0), notation)
    steps = in_notation(forward_substeps(u.activation, embedded=data.network.params.W_emb is not None), notation)
    label = _("The network unrolled over {T} steps, cut every {tau}.", T=T, tau=tau)
    if mode == NO_CUT or tau >= T:
        label = _("The network unrolled over {T} steps.", T=T)
    network(
        {"link": LINK, "text": data.name, "drawing": drawing, "substeps": steps, "label": label, "plays": False, "aside": True}
    )


def first_kept(state: PageState, T: int, tau: int) -> np.ndarray:
    """The first step that each loss reaches with the chosen scheme, (T,); step 1 for all losses if tau is the window."""
    if state["scheme"] == "window" or tau >= T:
        return truncation.window(T, tau)
    return truncation.tbptt(T, min(state["k1"], tau), tau) if state["scheme"] == "tbptt" else truncation.blocks(T, tau)


def draw_truncation_panels(
    session: Session,
    state: PageState,
    data: FullGradient,
    b: BackwardPass,
    places: Sequence[int | None],
    kept: AbstractContextManager,
) -> None:
    """Draw the triangle with its dropped cells, the kept share, and the truncated gradient over tau.

    In a scene, what an update loses, which is visible while presenting, is drawn into ``kept``, beside what it lost at the stop
    at which the scene began.
    """
    if data.cells is None:
        elements.note(_("What is dropped is left out: a state of more than {H} units takes too long here.", H=LARGEST))
        return
    T, chosen, mode = len(data.cells), stop_at(places, state["tau"]), state["mode"]
    taus = [T if mode == NO_CUT else min(place or T, T) for place in places]
    firsts = [first_kept(state, T, at) for at in taus]
    curves, shares = compute(lambda: (compared(state, data), [data.cells.kept(first) for first in firsts]))
    sizes = truncation.sizes_with_resets(b, taus[chosen]) if mode == RESET else data.cells.norms
    left, right = st.columns(HEAD, vertical_alignment="center")
    with left:
        schemes(state)
    with right:
        panels = [block_borders.kept_panel(share, first.tolist(), mode) for share, first in zip(shares, firsts, strict=True)]
        kept_share({"stops": panels, "chosen": chosen, "link": LINK, "curve": [], "begins": 0})
    if session.scene:
        begins = stop_at(places, _initial_tau(session.scene))
        lost = in_notation([block_borders.lost_panel(curves, at, taus[begins]) for at in taus], session.settings.notation)
        shown = {"stops": lost, "chosen": chosen, "link": LINK, "curve": block_borders.lost_curve(curves, taus), "begins": begins}
        with kept:
            kept_share(shown, key="kept_in_bar")
        draw_reason(data, firsts[begins], shown)
    cosine, ratio = in_notation(gradient_charts(curves, taus, chosen, mode), session.settings.notation)
    with st.container(horizontal=True, gap="small"):
        left, middle, right = (st.container(width=PANEL) for _ in range(3))
    with left:
        tau_panel(cosine | {"link": LINK}, key="cosine")
    with middle:
        draw_dropped_cells(data, sizes, firsts, chosen, mode)
    with right:
        tau_panel(ratio | {"link": LINK}, key="ratio")
    reach, tau = truncation.mean_reach(firsts[chosen]), taus[chosen] if mode == NO_CUT else state["tau"] or T
    elements.note(block_borders.scheme_words(state["scheme"], tau, min(state["k1"], tau), reach))
    elements.source("truncation", rnn.backward, truncation.tbptt)


def gradient_charts(curves: Truncated, taus: list[int], chosen: int, mode: str) -> list[TauChart]:
    """The charts of the direction and of the size of the truncated gradient over tau."""
    says = _("of the gradient with the state carried") if mode == RESET else _("1: the same direction; 0: none of it")
    cosine = tau_chart(curves.cosine, taus, chosen, title=_("Which way does it point?"), subtitle=says, y_title=_("cosine"))
    says, y_title = _("|truncated| / |whole|"), _("ratio")
    return [cosine, tau_chart(curves.ratio, taus, chosen, title=_("How large is it?"), subtitle=says, y_title=y_title, low=0.0)]


def draw_dropped_cells(
    data: FullGradient, sizes: np.ndarray, firsts: list[np.ndarray], chosen: int, mode: str, **linked: str
) -> None:
    """Draw the triangle of all losses and states, with the cells that each stop of the slider drops. ``linked``: its key, and
    another link than that of the slider."""
    symbols = data.network.tokenizer.symbols
    drawing = triangle_drawing(sizes, symbols(data.forward.tokens), symbols(data.forward.targets))
    reaches = [None if mode == RESET or (first == 1).all() else first.tolist() for first in firsts]
    title = _("Nothing to drop") if mode == RESET else _("What the cut drops")
    shown = {"link": LINK, "text": data.name, "title": title, "reach": reaches[chosen], "reaches": reaches}
    triangle(drawing, **shown | linked)


def draw_reason(data: FullGradient, first: np.ndarray, shown: Mapping[str, Any]) -> None:
    """Draw what the cut with which the scene began dropped, and what an update lost by it, wherever the slider stands."""
    with elements.place(REASON):
        kept_share({**shown, "chosen": shown["begins"], "link": REASON}, key="kept_at_first")
        draw_dropped_cells(data, data.cells.norms, [first], 0, MODES[0][0], link=REASON, key="cells_at_first")


def schemes(state: PageState) -> None:
    """Draw the switch of the truncation scheme, and the slider of k1 for TBPTT(k1, tau)."""
    moved: list = [Switch("scheme", _("keep"), [(scheme, _(words)) for scheme, words in SCHEMES], state["scheme"])]
    if state["scheme"] == "tbptt":
        moved.append(Slider("k1", "k1 =", list(map(str, GROUPS)), GROUPS.index(state["k1"]), GROUPS, help=_(EVERY_K1)))
    controls(moved, label=_("Scheme"), on_move=lambda name, value, _: state.update({name: value}), key="scheme_bar")


def compared(state: PageState, data: FullGradient) -> Truncated:
    """The truncated gradient compared with the whole one, for every tau from 1 to T."""
    if state["scheme"] == "blocks":
        return data.whole
    T = len(data.cells)
    return data.cells.compare([first_kept(state, T, tau) for tau in range(1, T + 1)])


def moving(session: Session, state: PageState) -> bool:
    return run_is_live(session, state) and state["chosen"].live
