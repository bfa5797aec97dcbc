"""The step under the play head in numbers, beside all units over time."""

from typing import Any

from pages.ui.component import component

_mount = component("step_numbers")


def step_numbers(
    numbers: dict[str, Any], heat: dict[str, Any], scene: dict[str, Any], *, link: str, text: str, key: str = "step_numbers"
) -> None:
    """Show ``numbers`` (of ``core.figures.unrolled.step_numbers``); it follows the play head of all with the same ``link``."""
    columns = [column["said"] for column in scene["columns"]]
    data = {"link": link, "text": text, "scales": scene["scales"], "columns": columns, "numbers": numbers, "heat": heat}
    _mount(key=key, data=data)
