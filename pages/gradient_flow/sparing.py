"""Measurements of the live network that are repeated only as often as training can bear."""

import time
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import numpy as np
import streamlit as st

from core.models.params import Params
from core.training.live_run import compute
from pages.ui.state import Stage

REST = 60.0  # a measurement is repeated at the earliest after this many times what it took
Result = TypeVar("Result")


def sparing(here: Stage, name: str, same: Hashable, newer: Hashable, make: Callable[[], Result]) -> Result:
    """What ``make`` returned last, unless that is for something else than ``same``, or it is time for a ``newer`` one.

    ``same`` is what the reader chose: a change of it is answered at once. ``newer`` is how far the run is: that may wait, while
    it trains.
    """
    kept: dict[str, tuple[Any, ...]] = st.session_state.setdefault("gradient_flow_measured", {})
    if name in kept:
        key, seen, again_at, result = kept[name]
        if key == same and (seen == newer or (here.run.playing and time.monotonic() < again_at)):
            return result
    began = time.monotonic()
    result = make()
    ended = time.monotonic()
    kept[name] = same, newer, ended + REST * (ended - began), result
    return result


def forget(name: str) -> None:
    """Measure anew at the next look."""
    st.session_state.get("gradient_flow_measured", {}).pop(name, None)


def network_now(here: Stage) -> tuple[Params, int]:
    """A float64 copy of the live parameters between two updates, and how many updates they have had."""
    with compute():
        return here.watched.trainer.params.copy(np.float64), here.watched.step
