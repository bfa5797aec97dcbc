"""In the sidebar: with whose names the weights stand in every formula."""

import streamlit as st

from pages.ui.bar import controls
from pages.ui.controls import control
from pages.ui.stage import Stage


def notation(here: Stage) -> None:
    """A switch between the sources; the whole page is written anew."""
    with st.sidebar:
        controls(
            [control(here, "notation")],
            label="Notation",
            on_move=lambda name, value, _: here.look_at(**{name: value}),
            look="names",
            key="notation",
        )
