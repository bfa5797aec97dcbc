"""What the network writes, now and at earlier moments."""

from typing import Any

from pages.ui.component import component

_mount = component("writing")


def writing(data: dict[str, Any], *, key: str = "writing") -> None:
    """Draw what ``core.figures.training.writing.writing_scene`` made."""
    _mount(key=key, data=data)
