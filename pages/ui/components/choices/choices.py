"""Probabilities of a few tokens under sliders, and the means of their numbers of choices."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.component import component

_mount = component("choices")


def choices(
    scene: dict[str, Any], *, on_move: Callable[[int, int], None], on_press: Callable[[str], None], key: str = "choices"
) -> None:
    """Draw a scene of ``core.figures.perplexity.number``; ``on_move(token, place)`` hears a slider while it is dragged.

    ``on_press`` hears the name of a ready-made example, or "more" and "fewer".
    """

    def moved() -> None:
        move = st.session_state[key].move or {}
        on_move(int(move.get("token", 0)), int(move.get("place", 0)))

    _mount(key=key, data=scene, on_move_change=moved, on_press_change=lambda: on_press(str(st.session_state[key].press)))
