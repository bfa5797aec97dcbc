"""In the sidebar: with whose names the weights stand in every formula."""

import streamlit as st

from pages.app.panels.settings_controls import control
from pages.app.session.session import Session
from pages.app.widgets.control_widgets import controls


def notation(session: Session) -> None:
    """A switch between the sources; the whole page is written anew."""
    with st.sidebar:
        controls(
            [control(session, "notation")],
            label="Notation",
            on_move=lambda name, value, _: session.change_view(**{name: value}),
            look="names",
            key="notation",
        )
