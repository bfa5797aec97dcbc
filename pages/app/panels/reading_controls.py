"""In the sidebar: with whose names the weights stand in every formula, and in which language all is written."""

import streamlit as st

from core.config.language import gettext as _
from core.config.language import languages
from pages.app.panels.settings_controls import control
from pages.app.session.session import Session
from pages.app.widgets.control_widgets import controls


def reading(session: Session) -> None:
    """Both choices; the whole page is written anew."""
    with st.sidebar:
        controls(
            *([control(session, name)] for name in ("notation", "lang")[: len(languages())]),
            label=_("Notation and language"),
            on_move=lambda name, value, _: session.change_view(**{name: value}),
            look="names",
            key="notation",
        )
