"""A table of numbers, shaded and with bars; it scrolls within itself where it is wider than the screen."""

from typing import Any

from pages.ui.component import component

_mount = component("grid")


def grid(scene: dict[str, Any], *, key: str) -> None:
    """Draw what ``core.figures.parts.grid.grid`` made."""
    _mount(key=key, data=scene)
