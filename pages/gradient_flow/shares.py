"""The gradient of W_hh as a sum of the contributions of every loss at every step."""

import streamlit as st

from core.analysis.gradient_flow import recurrent_shares
from core.config.language import gettext as _
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.panels.text_model_picker import cached_for_network
from pages.app.session.session import Session
from pages.app.widgets.components import live_figure, triangle
from pages.content.notation import in_notation
from pages.figures.gradient_flow.gradient_shares import shares_figure, shares_sentence, shares_triangle
from pages.gradient_flow.page_data import LINK, PageData


def show(session: Session, state: PageState, data: PageData) -> None:
    b, symbols, notation = data.backward, data.network.tokenizer.symbols, session.settings.notation
    found = cached_for_network(session, "shares", lambda: recurrent_shares(b.trace, b.flow(vectors=True)), data)
    inputs, targets = symbols(data.reading.tokens), symbols(data.reading.targets)
    elements.note(in_notation(shares_sentence(found), notation))
    left, right = st.columns((318, 638), gap="small")
    with left:
        triangle(
            shares_triangle(found, inputs, targets),
            link=LINK,
            text=data.name,
            title=in_notation(_("What each loss adds to dW_hh"), notation),
            unit=_("size of this item"),
            joint=_("at step"),
            key="shares_triangle",
        )
    with right:
        label = in_notation(_("Shares of dW_hh: of every loss, and of every step."), notation)
        live_figure(shares_figure(found, inputs, targets, notation), key="shares_figure", keep=data.name, label=label)
    elements.source("shares", recurrent_shares)
