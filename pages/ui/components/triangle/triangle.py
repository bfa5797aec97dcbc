"""The triangle of sizes: how much every loss t moves every state k."""

from collections.abc import Sequence
from typing import Any

from pages.ui.component import component

_mount = component("triangle")


def triangle(
    scene: dict[str, Any],
    *,
    link: str,
    text: str,
    title: str,
    unit: str = "nats per unit of h",
    joint: str = "on state",
    reach: Sequence[int] | None = None,
    reaches: Sequence[Sequence[int] | None] | None = None,
    key: str = "triangle",
) -> None:
    """Draw what ``core.figures.parts.triangle`` made; a hovered cell lights its path in the drawing with the same ``link``.

    ``reach[t-1]`` is the first k, from 1, that a truncation keeps for the loss at t; cells before it are drawn hatched. A change
    of ``reach`` alone changes only those. ``reaches`` holds one for every stop of a slider with the same ``link``, which is then
    followed in the browser, without asking. ``unit`` says of what the numbers are, ``joint`` how
    the number of a cell is announced: "loss at 12 on state 5".
    """
    data = {
        "link": link,
        "text": text,
        "scene": scene,
        "title": title,
        "unit": unit,
        "joint": joint,
        "reach": list(reach) if reach else None,
        "reaches": reaches,
    }
    _mount(key=key, data=data)
