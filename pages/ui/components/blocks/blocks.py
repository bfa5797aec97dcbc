"""Equations of matrices as coloured blocks with numbers in them."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.component import component

_mount = component("blocks")


def blocks(scene: dict[str, Any], *, key: str, on_edit: Callable[[str, int, int, str], None] | None = None) -> None:
    """Draw a scene of ``core.figures.recurrent_step``; ``on_edit(matrix, row, column, text)`` hears a cell that was typed in."""

    def edited() -> None:
        event = st.session_state[key].edit or {}
        if on_edit and event:
            on_edit(str(event.get("id")), int(event.get("row", 0)), int(event.get("column", 0)), str(event.get("text", "")))

    _mount(key=key, data=scene, on_edit_change=edited)
