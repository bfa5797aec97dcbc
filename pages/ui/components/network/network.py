"""The drawing of the unrolled network, and the bar that plays it."""

from typing import Any

from pages.ui.component import component

_mount = component("network")


def network(
    scene: dict[str, Any],
    *,
    link: str,
    text: str,
    substeps: list[list[str]],
    label: str,
    key: str = "network",
) -> None:
    """Draw ``scene`` (of ``core.figures.parts.network``). All components with the same ``link`` share one play head.

    The head keeps its place while ``text`` is the same. ``label`` says in words what the picture shows.
    """
    data = {"link": link, "text": text, "scene": scene, "substeps": substeps, "label": label}
    _mount(key=key, data=data)
