"""The controls of the what-if experiments: ready-made ones, sliders that act while they are dragged, and one button."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.component import component

_mount = component("what_if")


def what_if(
    scene: dict[str, Any],
    *,
    on_move: Callable[[str, int], None],
    on_chip: Callable[[str], None],
    on_activation: Callable[[str], None],
    on_apply: Callable[[], None],
    key: str = "what_if",
) -> None:
    """``scene``: ``chips`` [[id, words]] and the chosen ``chip``, ``sliders`` [{name, label, help, words, at}], ``activations``
    and the chosen ``activation``, ``apply``, the words of the button (none when empty), and ``applies``, what it does.

    ``on_move(name, place)`` hears a slider while it is dragged; all callbacks are heard before the page is drawn again.
    """

    def moved() -> None:
        move = st.session_state[key].move or {}
        on_move(str(move.get("name")), int(move.get("place", 0)))

    _mount(
        key=key,
        data=scene,
        on_move_change=moved,
        on_chip_change=lambda: on_chip(str(st.session_state[key].chip)),
        on_activation_change=lambda: on_activation(str(st.session_state[key].activation)),
        on_apply_change=on_apply,
    )
