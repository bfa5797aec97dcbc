"""Ways to go on, ranked."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.component import component

_mount = component("continuations")


def continuations(
    scene: dict[str, Any] | None,
    *,
    prompt: str,
    notice: str,
    serial: int,
    on_prompt: Callable[[str, int], None],
    on_add: Callable[[str], None],
    on_remove: Callable[[int], None],
    key: str = "continuations",
) -> None:
    """Draw what ``core.figures.perplexity.continuations.continuations_scene`` made (None where nothing can be ranked).

    ``on_prompt(text, serial)`` hears the beginning as it is typed; ``serial`` is that of the newest one. ``on_add(text)`` and
    ``on_remove(row)`` change the reader's own.
    """

    def typed() -> None:
        event = st.session_state[key].prompt or {}
        on_prompt(str(event.get("text", "")), int(event.get("serial", 0)))

    _mount(
        key=key,
        data={"scene": scene, "prompt": prompt, "notice": notice, "serial": serial},
        on_prompt_change=typed,
        on_add_change=lambda: on_add(str(st.session_state[key].add or "")),
        on_remove_change=lambda: on_remove(int(st.session_state[key].remove or 0)),
    )
