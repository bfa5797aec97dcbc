"""The sidebar of every page: the card of the run, and the selects of notation and language."""

import streamlit as st

from core.config.language import gettext as _, language, languages
from pages.app.navigation.auto_refresh import auto_refresh
from pages.app.panels.commands import press, seek
from pages.app.panels.settings_controls import control
from pages.app.session.session import Session
from pages.app.widgets.components import run_card
from pages.app.widgets.control_widgets import Select, controls
from pages.figures.parts.run_card import run_card as card_drawing

EVERY = 1.0  # seconds between two reruns while the run trains
AWAITING = 1.0  # seconds while a trained example is being trained
IDLE = 15.0  # seconds otherwise: after a short disconnection, only a rerun admits the tab and attaches its session again
SMALL = 2.0  # instead of EVERY on Training, whose chart reruns the page when the state of the run changes


def draw_run_card(session: Session, *, small: bool) -> None:
    """Draw the card of the run in the sidebar, as a fragment that is rerun every second or two while the run trains."""
    idle = AWAITING if session.example_awaited else IDLE
    with st.sidebar:
        auto_refresh(_show, lambda: session.run.playing, SMALL if small else EVERY, session, small, idle=idle)


def _show(session: Session, small: bool) -> None:
    scene = card_drawing(
        session.run_snapshot(),
        session.monitored.history,
        session.corpus,
        on_training_text=session.monitored.held_out.on_training_text,
        small=small,
        update=session.monitored.step,
        past=session.past.moment if session.past else None,
    )
    run_card(scene, on_command=lambda what: press(session, what), on_seek=lambda update: seek(session, update))


def reader_controls(session: Session) -> None:
    """Draw the selects of notation and language; a choice reruns the whole page."""
    notation = control(session, "notation")
    about = f"{_('Notation')}: {notation.about}"  # both selects are in one row, without room for labels
    language_choice = Select("lang", _("Language"), list(languages().items()), language())
    with st.sidebar:
        controls(
            [notation._replace(about="", help=about), language_choice],
            label=_("Notation and language"),
            on_move=lambda name, value, _done: session.change_view(**{name: value}),
            variant="names",
            key="notation",
        )
