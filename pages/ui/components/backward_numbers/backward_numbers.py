"""The step under the play head on the way back, in numbers."""

from typing import Any

from pages.ui.component import component

_mount = component("backward_numbers")


def backward_numbers(numbers: dict[str, Any], *, link: str, text: str, key: str = "backward_numbers") -> None:
    """Show ``numbers`` (of ``core.figures.parts.backward``); it follows the play head of all with the same ``link``."""
    _mount(key=key, data={"link": link, "text": text, "numbers": numbers})
