"""A bar of sliders with named stops, switches and buttons: all of them act while they are moved."""

from collections.abc import Callable
from typing import Any, NamedTuple

import streamlit as st

from pages.ui.component import component

_mount = component("stops")


class Slider(NamedTuple):
    """``words`` name the stops, ``at`` is the chosen one; ``marked`` stops are underlined (the sources' own).

    Components with the same ``link`` hear of a move at once, in the browser.
    """

    name: str
    label: str
    words: list[str]
    at: int
    marked: list[int]
    help: str = ""
    link: str = ""


class Switch(NamedTuple):
    """``options`` are (value, words)."""

    name: str
    label: str
    options: list[tuple[str, str]]
    value: str


class Button(NamedTuple):
    """``icon`` of shared/icons.js, or none; ``filled`` is the one that matters."""

    name: str
    words: str
    icon: str = ""
    filled: bool = False
    disabled: bool = False


def stops(
    controls: list[Slider | Switch | Button],
    *,
    label: str,
    on_move: Callable[[str, Any, bool], None],
    on_press: Callable[[str], None] | None = None,
    key: str = "stops",
) -> None:
    """``on_move(name, stop number or value, done)`` hears every move, ``on_press(name)`` every button.

    Both are heard before the page is drawn.
    """

    def moved() -> None:
        move = st.session_state[key].move or {}
        on_move(str(move.get("name")), move.get("value"), bool(move.get("done")))

    def pressed() -> None:
        if on_press:
            on_press(str(st.session_state[key].press))

    data = {"label": label, "controls": [{"is": type(control).__name__.lower(), **control._asdict()} for control in controls]}
    _mount(key=key, data=data, on_move_change=moved, on_press_change=pressed)
