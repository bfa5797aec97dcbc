"""Where the gradient of W_hh comes from: what every loss adds to it by way of every step."""

import streamlit as st

from core.analysis.gradient_flow import RecurrentShares, recurrent_shares
from core.figures.gradient_flow.shares import shares_figure, shares_sentence, shares_triangle
from core.training.live_run import compute
from pages.gradient_flow.look import Look
from pages.gradient_flow.sparing import sparing
from pages.ui import frame
from pages.ui.components.live_figure.live_figure import live_figure
from pages.ui.components.triangle.triangle import triangle
from pages.ui.source import source
from pages.ui.state import Stage

LINK = "gradient_flow"
COLUMNS = (318, 638)


def show(here: Stage, look: Look) -> None:
    network, reading = look.network, look.reading
    params = network.params
    newer = here.watched.step if look.live else None
    found = sparing(here, "shares", (look.name, look.live, params.hidden_size), newer, lambda: measure(look))
    inputs, targets = network.tokenizer.symbols(reading.tokens), network.tokenizer.symbols(reading.targets)
    frame.note(shares_sentence(found))
    left, right = st.columns(COLUMNS, gap="small")
    with left:
        triangle(
            shares_triangle(found, inputs, targets),
            link=LINK,
            text=look.name,
            title="What each loss adds to dW_hh",
            unit="size of this item",
            joint="at step",
            key="shares_triangle",
        )
    with right:
        label = "Shares of dW_hh: of every loss, and of every step."
        live_figure(shares_figure(found, inputs, targets), key="shares_figure", keep=look.name, label=label)
    source("shares", recurrent_shares)


def measure(look: Look) -> RecurrentShares:
    with compute():
        return recurrent_shares(look.backward.trace, look.backward.flow(vectors=True))
