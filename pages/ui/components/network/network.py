"""The drawing of the unrolled network, and the bar that plays it."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.component import component

_mount = component("network")


def network(
    scene: dict[str, Any],
    *,
    link: str,
    text: str,
    substeps: list[list[str]],
    label: str,
    on_step: Callable[[int], None] | None = None,
    key: str = "network",
) -> None:
    """Draw ``scene`` (of ``core.figures.network``). All components with the same ``link`` share one play head.

    The head keeps its place while ``text`` is the same. ``label`` says in words what the picture shows. ``on_step``, where a
    page needs it, hears the step at most four times a second.
    """

    def moved() -> None:
        step = st.session_state[key].step
        if on_step and isinstance(step, int) and 0 <= step < len(scene["columns"]):
            on_step(step)

    data = {"link": link, "text": text, "scene": scene, "substeps": substeps, "label": label, "tell": on_step is not None}
    _mount(key=key, data=data, on_step_change=moved)
