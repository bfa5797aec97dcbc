"""The bar that plays the training."""

from collections.abc import Callable

import streamlit as st

from pages.ui.component import component

_mount = component("transport")


def transport(
    *, playing: bool, target: int, speed: float, across: str, on_command: Callable[[str, object], None], key: str = "transport"
) -> None:
    """``on_command(what, value)`` hears play, pause, step, reset, run_to, across and speed, before the page is drawn again."""

    def command() -> None:
        event = st.session_state[key].command or {}
        on_command(str(event.get("do")), event.get("value"))

    def moved() -> None:
        on_command("speed", st.session_state[key].speed)

    data = {"playing": playing, "target": target, "speed": speed, "across": across}
    _mount(key=key, data=data, on_command_change=command, on_speed_change=moved)
