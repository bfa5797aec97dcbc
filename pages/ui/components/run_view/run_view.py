"""The live chart, the numbers beside it and the newest sample, sent as one message."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.component import component
from pages.ui.components.live_figure.live_figure import live_data

_mount = component("run_view", parts=("live_figure", "readout"), isolated=False)


def run_view(
    figure: dict[str, Any],
    readout: dict[str, Any],
    writing: dict[str, Any],
    *,
    keep: str,
    label: str,
    on_remedy: Callable[[str], None],
    key: str = "run_view",
) -> None:
    """Draw ``figure`` (see ``live_figure``) and the ``readout`` of ``core.figures.training``; what its
    ``writing_scene`` made goes to the ``writing`` component of the page.

    ``on_remedy(what)`` hears the buttons of a diverged run.
    """
    _mount(
        key=key,
        data={"figure": live_data(figure, keep=keep, label=label), "readout": readout, "writing": writing},
        on_remedy_change=lambda: on_remedy(str(st.session_state[key].remedy)),
    )
