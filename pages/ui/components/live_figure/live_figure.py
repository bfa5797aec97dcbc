"""A plotly figure that changes in place, five times a second, without losing zoom or hover."""

from typing import Any

from pages.ui.assets import plotly_url
from pages.ui.component import component

_mount = component("live_figure", isolated=False)


def live_figure(figure: dict[str, Any], *, key: str, keep: str, label: str) -> None:
    """Draw ``figure`` (plain data and layout with colour tokens).

    The reader's zoom is kept as long as ``keep`` is the same. ``label`` says in words what the picture shows.
    """
    _mount(key=key, data=live_data(figure, keep=keep, label=label))


def live_data(figure: dict[str, Any], *, keep: str, label: str) -> dict[str, Any]:
    """What the component draws; also where it is part of another."""
    return {"figure": figure, "keep": keep, "label": label, "plotly": plotly_url()}
