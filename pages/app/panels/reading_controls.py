"""In the sidebar: with whose names the weights stand in every formula, and in which language all is written."""

import streamlit as st

from core.config.language import gettext as _
from core.config.language import language, languages
from pages.app.panels.settings_controls import control
from pages.app.session.session import Session
from pages.app.widgets.control_widgets import Select, controls


def reading(session: Session) -> None:
    """Both choices; the whole page is written anew."""
    notation = control(session, "notation")
    about = f"{_('Notation')}: {notation.about}"  # both choices stand in one row, without room for their names
    language_choice = Select("lang", _("Language"), list(languages().items()), language())
    with st.sidebar:
        controls(
            [notation._replace(about="", help=about), language_choice],
            label=_("Notation and language"),
            on_move=lambda name, value, _done: session.change_view(**{name: value}),
            look="names",
            key="notation",
        )
