"""What a model writes, token by token, and what the temperature does."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.component import component

_mount = component("samples")


def samples(
    scene: dict[str, Any] | None, *, controls: dict[str, Any], on_command: Callable[[str, Any], None], key: str = "samples"
) -> None:
    """Draw the texts of ``core.figures.perplexity.writing`` (None where nothing can be written), and hear the controls.

    ``on_command(what, value)``: prompt, write, texts, greedy, temperature.
    """

    def heard() -> None:
        event = st.session_state[key].command or {}
        on_command(str(event.get("what")), event.get("value"))

    _mount(key=key, data={"scene": scene, "controls": controls}, on_command_change=heard)
