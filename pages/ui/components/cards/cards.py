"""Panels of words and numbers beside a picture."""

from collections.abc import Sequence
from typing import Any

from pages.ui.component import component

_mount = component("cards")


def cards(panels: Sequence[dict[str, Any]], *, columns: Sequence[float] = (), key: str) -> None:
    """Panels side by side, as wide as ``columns`` say (equal when empty); below each other on a narrow screen."""
    _mount(key=key, data={"cards": list(panels), "columns": list(columns) or [1] * len(panels)})
