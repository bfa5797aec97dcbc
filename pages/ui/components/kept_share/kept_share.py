"""The share of the gradient's sizes that a truncation keeps, in large type."""

from collections.abc import Sequence

from pages.ui.component import component

_mount = component("kept_share")


def kept_share(stops: Sequence[dict[str, str]], chosen: int, *, link: str, key: str = "kept_share") -> None:
    """Words (of ``core.figures.truncation.cut``) for every stop of the slider with the same ``link``, and its stop now."""
    _mount(key=key, data={"stops": list(stops), "chosen": chosen, "link": link})
