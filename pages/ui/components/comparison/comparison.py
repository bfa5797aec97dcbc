"""Numbers of two or more things side by side, with the sentence that they make."""

from typing import Any

from pages.ui.component import component

_mount = component("comparison")


def comparison(scene: dict[str, Any], *, key: str) -> None:
    """``scene``: ``columns`` (names), ``rows`` [[name, value, ...]], and where there are any ``sentence``, ``note``, ``lines``
    (how many a sentence has room for) and ``gauges`` [[name, {says, turned, before, after}, ...]], lengths before and after
    as shares of the widest bar.
    """
    _mount(key=key, data={"gauges": [], "note": "", "sentence": "", "lines": 3} | scene)
