"""The live knobs: they move the run while they are dragged."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.component import component

_mount = component("knobs")


def knobs(
    sliders: list[dict[str, Any]],
    *,
    carry: bool,
    undo: str,
    on_move: Callable[[str, Any, bool], None],
    on_undo: Callable[[], None],
    key: str = "knobs",
) -> None:
    """``on_move(name, value, done)`` hears every move while a knob is dragged (``done`` at its end), before the page is drawn.

    ``undo`` says what undoing would put back; empty when there is nothing.
    """

    def moved() -> None:
        move = st.session_state[key].move or {}
        on_move(str(move.get("name")), move.get("value"), bool(move.get("done")))

    data = {"knobs": sliders, "carry": carry, "undo": undo}
    _mount(key=key, data=data, on_move_change=moved, on_undo_change=on_undo)
