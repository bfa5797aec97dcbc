"""A heat map of a gradient in which a weight can be picked: by click, by arrow keys, or by its numbers."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.component import component

_mount = component("weight_map")


def weight_map(
    scene: dict[str, Any],
    *,
    on_matrix: Callable[[str], None],
    on_cell: Callable[[int, int], None],
    on_index: Callable[[int, int], None],
    key: str = "weight_map",
) -> None:
    """Show what ``core.figures.gradient_flow.gradient_check.weight_map`` made.

    ``on_cell`` hears a cell of the drawing, ``on_index`` a weight.
    """

    def picked(what: str, tell: Callable[[int, int], None]) -> Callable[[], None]:
        def heard() -> None:
            place = getattr(st.session_state[key], what) or {}
            tell(int(place.get("row", 0)), int(place.get("column", 0)))

        return heard

    _mount(
        key=key,
        data=scene,
        on_matrix_change=lambda: on_matrix(str(st.session_state[key].matrix)),
        on_cell_change=picked("cell", on_cell),
        on_index_change=picked("index", on_index),
    )
