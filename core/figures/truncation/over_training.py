"""What a truncation keeps, while the network learns."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from core.analysis.truncation import WEIGHTS
from core.figures.parts.axes import Axis, updates_axis
from core.figures.parts.chart import Curve, Figure, chart
from core.figures.parts.numbers import number

HEIGHT = 260  # px
MOST = 2.0  # of a ratio that is drawn
STROKES = {"W_hh": ("solid", 3.5), "W_xh": ("7px 4px", 2.5), "b_h": ("2px 4px", 2.5)}  # dashes and width


class Sample(NamedTuple):
    """The live network at one update: truncated against whole, at tau = 1 ... T."""

    update: int
    cosine: Float[np.ndarray, "T 3"]
    ratio: Float[np.ndarray, "T 3"]
    kept: Float[np.ndarray, " T"]


def over_training_figure(samples: Sequence[Sample], tau: int) -> Figure:
    """Cosines with the whole gradient, the kept share and the size of dW_hh, against updates."""
    x = [sample.update for sample in samples]
    cosines = {name: [_at(sample.cosine[:, WEIGHTS.index(name)], tau) for sample in samples] for name in STROKES}
    size = [_at(sample.ratio[:, WEIGHTS.index("W_hh")], tau) for sample in samples]
    kept = [_at(sample.kept, tau) for sample in samples]
    look = {"mode": "lines+markers", "size": 6}
    curves = [
        Curve(f"cosine, {name}", x, cosines[name], dash=dash, width=width, label=f"cosine {name}", **look)
        for name, (dash, width) in STROKES.items()
    ]
    curves.append(Curve("kept share", x, kept, "muted", "1px 5px", 3, label=f"kept {number(kept[-1], 2)}", **look))
    curves.append(Curve("size ratio, W_hh", x, size, "text", "12px 4px 2px 4px", 2, label="size W_hh", **look))
    seen = [value for column in (*cosines.values(), size) for value in column if math.isfinite(value)]
    low, high = math.floor(min([0.0, *seen]) * 5) / 5, min(max([1.0, *seen]), MOST)
    y = Axis("cosine; share; ratio", low - 0.02, high + 0.04, log=False)
    return chart(curves, updates_axis(x[-1]), y, height=HEIGHT, right=128)


def _at(of_tau: Float[np.ndarray, " T"], tau: int) -> float:
    """The value at this truncation, or at the longest there is."""
    return float(of_tau[min(tau, len(of_tau)) - 1])


def over_training_label(samples: Sequence[Sample], tau: int) -> str:
    """The chart in words."""
    last = samples[-1]
    cosines = ", ".join(f"{name} {number(_at(last.cosine[:, i], tau), 2)}" for i, name in enumerate(WEIGHTS))
    return f"Cosine of the truncated with the whole gradient at update {last.update}: {cosines}."
