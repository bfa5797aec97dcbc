"""The echo task: every answer and the input it repeats, and the borders that hide it."""

from typing import Any

from pages.ui.component import component

_mount = component("echo_task")


def echo_task(scene: dict[str, Any], *, key: str = "echo_task") -> None:
    """Draw ``scene`` (of ``core.figures.truncation.proof.task_scene``)."""
    _mount(key=key, data=scene)
