"""The bar above a page of sections."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.component import component

_mount = component("sections")


def sections(
    chosen: str,
    names: dict[str, str],
    *,
    label: str,
    picks: list[dict[str, Any]],
    press: str,
    icon: str = "reset",
    on_choose: Callable[[str], None],
    on_pick: Callable[[str, str], None],
    on_press: Callable[[], None],
    key: str = "sections",
) -> None:
    """``names`` is id -> words. ``picks`` are small selects, ``press`` the words of a button (none when empty).

    The callbacks are heard before the page is drawn again.
    """

    def pick() -> None:
        event = st.session_state[key].pick or {}
        on_pick(str(event.get("name")), str(event.get("value")))

    data = {
        "label": label,
        "sections": [[name, words] for name, words in names.items()],
        "chosen": chosen,
        "picks": picks,
        "press": press,
        "icon": icon,
    }
    _mount(
        key=key,
        data=data,
        on_section_change=lambda: on_choose(str(st.session_state[key].section)),
        on_pick_change=pick,
        on_press_change=on_press,
    )
