"""Curves over the truncation length, with the present one ringed; it follows a hand that drags."""

from typing import Any

from pages.ui.component import component

_mount = component("tau_chart")


def tau_chart(scene: dict[str, Any], *, link: str, key: str) -> None:
    """Draw ``scene`` (of ``core.figures.truncation.cut.tau_chart``); it follows the slider with the same ``link``."""
    _mount(key=key, data=scene | {"link": link})
