"""A text that can be typed into, coloured by surprise."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.component import component

_mount = component("surprise")


def surprise(
    scene: dict[str, Any],
    *,
    notices: list[str],
    serial: int,
    on_edit: Callable[[str, int, int, int], None],
    on_pick: Callable[[int], None],
    on_another: Callable[[], None],
    key: str = "surprise",
) -> None:
    """Draw what ``core.figures.perplexity.surprise.surprise_scene`` made, or ``text_scene`` where there is no surprise to tell.

    ``on_edit(text, caret, length, serial)`` hears what is typed, and how long it was before it was cut; ``on_pick(column)``
    which token is clicked, ``on_another()`` the button. ``serial`` is that of the newest edit: what answers an older one is not
    drawn.
    """

    def edited() -> None:
        event = st.session_state[key].edit or {}
        on_edit(str(event.get("text", "")), *(int(event.get(name, 0)) for name in ("caret", "length", "serial")))

    _mount(
        key=key,
        data={"scene": scene, "notices": notices, "serial": serial},
        on_edit_change=edited,
        on_another_change=on_another,
        on_pick_change=lambda: on_pick(int(st.session_state[key].pick or 0)),
    )
