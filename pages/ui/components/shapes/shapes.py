"""Matrices drawn to scale, with sliders for their sizes."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.component import component

_mount = component("shapes")


def shapes(
    scene: dict[str, Any], sliders: list[dict[str, Any]], *, on_move: Callable[[str, int], None], key: str = "shapes"
) -> None:
    """``sliders`` are {name, label, help, words, at}; ``on_move(name, place)`` hears them while they are dragged."""

    def moved() -> None:
        move = st.session_state[key].move or {}
        on_move(str(move.get("name")), int(move.get("place", 0)))

    _mount(key=key, data=scene | {"sliders": sliders}, on_move_change=moved)
