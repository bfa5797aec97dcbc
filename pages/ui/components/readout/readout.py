"""The perplexity now, large, and how the run goes."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.component import component

_mount = component("readout")


def readout(data: dict[str, Any], *, on_remedy: Callable[[str], None], key: str = "readout") -> None:
    """Draw what ``core.figures.run.readout`` made; ``on_remedy(what)`` hears the buttons of a diverged run."""
    _mount(key=key, data=data, on_remedy_change=lambda: on_remedy(str(st.session_state[key].remedy)))
