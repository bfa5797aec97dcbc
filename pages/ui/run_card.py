"""The card in the sidebar: how the run is, on every page."""

import streamlit as st

from core.figures.parts.run_card import run_card as card_scene
from pages.ui.hear import run_card
from pages.ui.sections import polled
from pages.ui.state import Stage
from pages.ui.training_commands import command, remedy

EVERY = 1.0  # seconds


def card(stage: Stage, *, small: bool) -> None:
    """Draw the card in the sidebar, and again every second while the run trains (a small one's page polls by itself)."""
    with st.sidebar:
        polled(_show, lambda: stage.run.playing and not small, EVERY, stage, small)


def _show(stage: Stage, small: bool) -> None:
    scene = card_scene(
        stage.run.snapshot(),
        stage.watched.history,
        stage.corpus,
        on_training_text=stage.watched.held_out.on_training_text,
        small=small,
    )
    run_card(scene, on_command=lambda what: remedy(stage, what) if what in ("halve_rate", "clip") else command(stage, what, None))
