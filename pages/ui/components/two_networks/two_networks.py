"""One text through two networks, without and with a hidden state."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.component import component

_mount = component("two_networks")


def two_networks(scene: dict[str, Any], *, on_swap: Callable[[int, int], None], key: str = "two_networks") -> None:
    """Draw what ``core.figures.recurrent_step`` made; ``on_swap(i, j)`` hears which two tokens to exchange."""

    def swap() -> None:
        i, j = st.session_state[key].swap or (0, 0)
        on_swap(int(i), int(j))

    _mount(key=key, data=scene, on_swap_change=swap)
