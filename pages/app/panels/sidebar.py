"""The sidebar of every page: the card of the run, and the choices of notation and language."""

import streamlit as st

from core.config.language import gettext as _
from core.config.language import language, languages
from core.figures.parts.run_card import run_card as card_scene
from pages.app.navigation.auto_refresh import auto_refresh
from pages.app.panels.commands import press, seek
from pages.app.panels.settings_controls import control
from pages.app.session.session import Session
from pages.app.widgets.components import run_card
from pages.app.widgets.control_widgets import Select, controls

EVERY = 1.0  # seconds
AWAITING = 1.0  # while a trained network is about to be shown
IDLE = 15.0  # a tab that was disconnected for a moment is admitted again, and its session used, when a script runs next
SMALL = 2.0  # on Training, where the picture says more and has the whole page drawn when the state changes


def card(session: Session, *, small: bool) -> None:
    """Draw the card in the sidebar, and again every second or two while the run trains, seldom while it rests."""
    idle = AWAITING if session.example_awaited else IDLE
    with st.sidebar:
        auto_refresh(_show, lambda: session.run.playing, SMALL if small else EVERY, session, small, idle=idle)


def _show(session: Session, small: bool) -> None:
    scene = card_scene(
        session.run_snapshot(),
        session.watched.history,
        session.corpus,
        on_training_text=session.watched.held_out.on_training_text,
        small=small,
        update=session.watched.step,
        past=session.past.moment if session.past else None,
    )
    run_card(scene, on_command=lambda what: press(session, what), on_seek=lambda update: seek(session, update))


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
