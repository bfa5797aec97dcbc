"""In the sidebar: with whose names the weights stand in every formula, and in which language all is written."""

import streamlit as st

from core.config.language import gettext as _
from core.config.language import language, languages
from pages.app.panels.settings_controls import control
from pages.app.session.session import Session
from pages.app.widgets.control_widgets import Select, controls


def reading(session: Session) -> None:
    """Both choices; the whole page is written anew."""
    choices = [control(session, "notation")]
    if len(languages()) > 1:
        choices.append(Select("lang", _("Language"), list(languages().items()), language()))
    with st.sidebar:
        controls(
            choices,
            label=_("Notation and language"),
            on_move=lambda name, value, _done: session.change_view(**{name: value}),
            look="names",
            key="notation",
        )
