"""The mini-batches of a text, played update by update."""

from typing import Any

from pages.ui.component import component

_mount = component("mini_batches")


def mini_batches(scene: dict[str, Any], *, text: str, key: str = "mini_batches") -> None:
    """Draw ``scene`` (of ``core.figures.truncation.mini_batches``). The play head keeps its place while ``text`` is the same."""
    _mount(key=key, data={"scene": scene, "text": text})
