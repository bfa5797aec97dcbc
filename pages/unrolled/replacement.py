"""What does a letter leave behind? A token of the text replaced by another, read by the same network."""

import numpy as np
import streamlit as st

from core.analysis.displayed_text import read_text
from core.analysis.replacement import (
    RUN_IN,
    Influence,
    Replacement,
    affordable_places,
    mean_influence,
    other_tokens,
    passages,
    replace_token,
)
from core.config.language import gettext as _
from pages.app.layout import elements
from pages.app.navigation.url_state import Param, param_from_query, sync_params
from pages.app.panels import text_model_picker as picker
from pages.app.panels.text_model_picker import (
    BRACKET,
    FIRST_CLOSED,
    QUOTATION,
    SMALL_NETWORK,
    Chosen,
    Loaded,
    cached_for_network,
    example_network,
)
from pages.app.session.session import Session
from pages.app.session.session_cache import IMMEDIATE
from pages.app.widgets.components import live_figure, replacement
from pages.content.guide import HINTS
from pages.figures.unrolled.replacement import (
    ReplacementDrawing,
    distance_figure,
    influence_figure,
    influence_sentence,
    log_p_figure,
    replacement_drawing,
)

OPTIONS = 60  # tokens that can take the place of another, at most: the most frequent ones
SEED = 50  # of the tokens drawn for the average
MOST = 100_000  # largest number accepted in the URL


def _index(text: str) -> int:
    if not 0 <= int(text) < MOST:
        raise ValueError
    return int(text)


PARAMS = {"letter": Param(0, _index), "instead": Param(0, _index)}  # the index of the token, and the id of the other one
IN_SCENE = 390, 250  # widths of the text and of the quotation beside it, px
KEY = "replacement_choice"  # in the session state: the values of PARAMS
QUOTATION_KEY = "unrolled_quotation_choice"  # the same for the quotation that a scene shows


def show(session: Session, chosen: Chosen) -> None:
    """Draw the differences that a replaced token makes; rerun every second while the shown network trains."""
    with elements.place("letter_left"):
        _show(session, chosen)


def _show(session: Session, chosen: Chosen) -> None:
    loaded = picker.load_chosen(session, chosen)
    if KEY not in st.session_state:
        st.session_state[KEY] = {name: param_from_query(session, name, param) for name, param in PARAMS.items()}
    sync_params(session, PARAMS, st.session_state[KEY])
    matters = bool(session.scene) and chosen.text != QUOTATION  # beside a text in which the first token decides the last
    with st.container(horizontal=True, gap="small"):
        with st.container(width=IN_SCENE[0] if matters else "stretch"):
            elements.heading(_("What does a letter leave behind?"), _("the same network reads the text with one token replaced"))
            elements.hint(HINTS["unrolled"]["replacement"])
            if loaded.network.tokenizer.size < 2:
                elements.note(_("Left out: there is no other token."))
                return
            drawing, found = _table(session, loaded, KEY, "replacement")
        if matters:
            with st.container(width=IN_SCENE[1]):
                _quotation(session)
    if np.isfinite(found.difference).all():
        left, right = st.columns(2, gap="small")
        with left:
            live_figure(distance_figure(found), key="replacement_distance", label=drawing["says"])
        with right:
            live_figure(log_p_figure(found), key="replacement_log_p", label=_("Change of ln p of every target."))
    average(session, chosen, loaded)
    elements.source("replacement", replace_token, mean_influence)


def _quotation(session: Session) -> None:
    """Draw a quotation, which closes with what opened it, with a bracket in place of its first sign."""
    elements.heading(_("Another network, another text"))
    network = example_network(QUOTATION)
    reading = read_text(QUOTATION[:FIRST_CLOSED], network.tokenizer)
    st.session_state.setdefault(QUOTATION_KEY, {"letter": 0, "instead": network.tokenizer.vocab.index(BRACKET)})
    _table(session, Loaded(network, reading, QUOTATION), QUOTATION_KEY, "replacement_in_quotation")


def _table(session: Session, loaded: Loaded, state: str, key: str) -> tuple[ReplacementDrawing, Replacement]:
    """Draw a text with one of its tokens replaced, as the values in the session state of this key say."""
    network, reading, _name = loaded
    options = range(min(network.tokenizer.size, OPTIONS))
    at = min(st.session_state[state]["letter"], len(reading.tokens) - 1)
    choice = other_choice(st.session_state[state]["instead"], int(reading.tokens[at]), len(options))
    found = replaced(session, loaded, at, choice)
    drawing = replacement_drawing(found, reading.tokens.tolist(), reading.targets.tolist(), options, choice, network.tokenizer)
    replacement(drawing, on_replace=lambda at, other: replace(loaded, choice, at, other, state), key=key)
    return drawing, found


def replace(loaded: Loaded, before: int, at: int, choice: int, state: str = KEY) -> None:
    """Handle a choice: another place, or another token at this place. ``state``: the key of the values in the session state."""
    tokens, options = loaded.reading.tokens, min(loaded.network.tokenizer.size, OPTIONS)
    if 0 <= at < len(tokens) and 0 <= choice < options:
        st.session_state[state] = {"letter": at, "instead": passed_over(choice, int(tokens[at]), before)}


def passed_over(choice: int, token: int, before: int) -> int:
    """This choice; the one below it where it is the token itself and was reached from above."""
    return max(choice - 1, 0) if choice == token and choice < before else choice


def other_choice(choice: int, token: int, options: int) -> int:
    """This choice, or the next one where it is the token itself or none of the options."""
    choice = min(choice, options - 1)
    return (choice + 1) % options if choice == token else choice


def replaced(session: Session, loaded: Loaded, at: int, other: int) -> Replacement:
    """Both readings."""
    network, reading, _name = loaded

    def read() -> Replacement:
        activation = network.settings.activation
        return replace_token(network.params, reading.tokens, reading.targets, at, other, activation=activation)

    return cached_for_network(session, "replacement", read, loaded, at, other, refresh=IMMEDIATE)


def average(session: Session, chosen: Chosen, loaded: Loaded) -> None:
    """Draw the average over the judged text, if the shown network reads it."""
    if chosen.which == SMALL_NETWORK:
        return
    params, text = loaded.network.params, session.monitored.held_out.source.inputs
    tokens = passages(text, affordable_places(params.vocab_size, params.hidden_size))
    if tokens.shape[1] < 2 or (text == text[0]).all():
        return
    rng = np.random.default_rng(np.random.SeedSequence([session.settings.seed, SEED]))
    others = other_tokens(text, tokens[RUN_IN], rng)

    def averaged() -> Influence:
        return mean_influence(params, tokens, others, activation=loaded.network.settings.activation)

    found = cached_for_network(session, "influence", averaged, loaded)
    if not np.isfinite(found.mean).all():
        return
    says = influence_sentence(found)
    elements.note(says)
    live_figure(influence_figure(found), key="replacement_influence", label=says)
