"""The run in the sidebar, on every page."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.component import component

_mount = component("run_card")


def run_card(data: dict[str, Any], *, on_command: Callable[[str], None], key: str = "run_card") -> None:
    """Draw what ``core.figures.parts.run_card.run_card`` made; ``on_command(what)`` hears its buttons."""
    _mount(key=key, data=data, on_command_change=lambda: on_command(str(st.session_state[key].command)))
