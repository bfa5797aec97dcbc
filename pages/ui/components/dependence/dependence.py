"""Which input moves which prediction."""

from typing import Any

from pages.ui.component import component

_mount = component("dependence")


def dependence(scene: dict[str, Any], *, link: str, text: str, key: str = "dependence") -> None:
    """Draw ``scene`` (of ``core.figures.unrolled.dependence``); it follows the play head of all with the same ``link``."""
    _mount(key=key, data={"link": link, "text": text, "scene": scene})
