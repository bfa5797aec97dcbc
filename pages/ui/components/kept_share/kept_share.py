"""The share of the gradient's sizes that a truncation keeps, in large type."""

from pages.ui.component import component

_mount = component("kept_share")


def kept_share(words: dict[str, str], *, key: str = "kept_share") -> None:
    """Show ``words`` (of ``core.figures.truncation.kept_panel``)."""
    _mount(key=key, data=words)
