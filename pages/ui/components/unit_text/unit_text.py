"""The text coloured by one unit."""

from typing import Any

from pages.ui.component import component

_mount = component("unit_text")


def unit_text(suggestions: list[tuple[str, int]], scene: dict[str, Any], *, link: str, text: str, key: str = "unit_text") -> None:
    """Colour the text of ``scene`` by a unit that the reader chooses; its states come with the heat map."""
    columns = [column["said"] for column in scene["columns"]]
    _mount(key=key, data={"link": link, "text": text, "scales": scene["scales"], "columns": columns, "suggestions": suggestions})
