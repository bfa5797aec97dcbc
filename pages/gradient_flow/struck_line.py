"""A line of the code is struck out, and the network trained without it."""

import streamlit as st

from core.config.language import gettext as _
from core.text.corpus import Corpus, load_corpus
from core.training.experiments.struck_line import STRUCK_LINES, STRUCK_SETTINGS, Struck, struck
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.navigation.url_state import enum_param
from pages.app.server.setup_lock import with_setup_lock
from pages.app.server.shared_cache import cached_for_all_sessions
from pages.app.session.session import Session
from pages.app.widgets.components import cards, comparison, live_figure
from pages.app.widgets.control_widgets import Switch, controls
from pages.figures.gradient_flow.struck_line import STRUCK_NAMES, struck_figure, struck_numbers, struck_panel
from pages.figures.parts.numbers import count, number
from pages.gradient_flow.page_data import PageData

PARAMS = {"line": enum_param(STRUCK_LINES, "future")}
COLUMNS = (560, 412)


def show(session: Session, state: PageState, _data: PageData) -> None:
    """Draw the choice of the line, its code, both curves and the errors of the gradient."""
    settings, notation = STRUCK_SETTINGS, session.settings.notation
    elements.heading(
        _("What a line is there for"),
        _(
            "a network of the layers of Deep Learning from Scratch 2, trained with one line struck out: names by characters, "
            "{sizes}, SGD, the same first weights",
            sizes=f"H = {settings.hidden_size}, T = {settings.num_steps}, N = {settings.batch_size}",
        ),
    )
    controls(
        [Switch("line", "", [(name, _(words)) for name, words in STRUCK_NAMES.items()], state["line"])],
        label=_("The line that is struck out"),
        on_move=lambda name, value, _done: state.update({name: value}),
        key="struck_line",
    )
    cards([struck_panel(state["line"])], key="struck_code")
    found = trained(state["line"], names())
    left, right = st.columns(COLUMNS, gap="small")
    numbers = struck_numbers(found, notation)
    with left:
        live_figure(struck_figure(found), key="struck_chart", label=numbers["sentence"])
        rate = {"rate": number(settings.learning_rate, 1), "norm": number(settings.clip_norm, 2)}
        elements.note(
            _("Learning rate {rate}, clipped at {norm}. It is trained on {n} tokens.", n=count(len(names().train)), **rate)
        )
    with right:
        comparison(numbers, key="struck_numbers")
    elements.source("struck_line", struck)


@cached_for_all_sessions(max_entries=1, set_up=with_setup_lock)
def names() -> Corpus:
    """The text, shared by all sessions."""
    return load_corpus(STRUCK_SETTINGS)


@cached_for_all_sessions(max_entries=len(STRUCK_LINES))
def trained(line: str, _corpus: Corpus) -> Struck:
    """Both networks after training, shared by all sessions."""
    return struck(line, _corpus)
