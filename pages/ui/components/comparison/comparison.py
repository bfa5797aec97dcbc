"""Numbers of two or more things side by side, with the sentence that they make."""

from typing import Any

from pages.ui.component import component

_mount = component("comparison")


def comparison(scene: dict[str, Any], *, key: str) -> None:
    """``scene``: ``columns`` (names), ``rows`` [[name, value, ...]], ``sentence`` and ``note`` (each may be empty),
    ``lines`` (for how
    many lines of a sentence there is room), and ``gauges`` [[name, {says, turned, before, after}, ...]], whose lengths before
    and after are shares of the widest bar.
    """
    _mount(key=key, data={"gauges": [], "note": "", "sentence": "", "lines": 3} | scene)
