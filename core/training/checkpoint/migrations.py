"""What files of earlier formats lack: settings that came later, which their runs did without."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from core.training.checkpoint.schema import LIVE

LATER = {"1": {"cosine_until": 0, "weight_decay": 0.0}}  # of each format: live knobs that it did not have, all of them off
FORMAT = len(LATER) + 1  # today's: one more whenever a reader of the format before would misunderstand a file


def since(version: str) -> Mapping[str, Any]:
    """The settings that came after this format, as a run had them that knew nothing of them."""
    return LATER.get(version, {})


def brought_up(arrays: Mapping[str, np.ndarray], version: str) -> Mapping[str, np.ndarray]:
    """The arrays of a file of this format as those of today's: its moments have a column for every live knob."""
    knobs = arrays.get("moments.knobs")
    if knobs is None or knobs.ndim != 2 or not since(version):
        return arrays
    known = [name for name in LIVE if name not in since(version)]
    places = [sum(LIVE.index(one) < LIVE.index(name) for one in known) for name in since(version)]
    return {**arrays, "moments.knobs": np.insert(knobs, places, 0, axis=1)} if knobs.shape[1] == len(known) else arrays
