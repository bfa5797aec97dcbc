"""One recurrent cell opened: what the step under the play head joins, computes and copies."""

from typing import Any

from pages.ui.component import component

_mount = component("cell")


def cell(opened: dict[str, Any], scene: dict[str, Any], *, link: str, text: str, key: str = "cell") -> None:
    """Draw ``opened`` (of ``core.figures.unrolled.cell``); it follows the play head, and its states come with the heat map."""
    data = {"link": link, "text": text, "scales": scene["scales"], "units": scene["units"], "cell": opened}
    _mount(key=key, data=data)
