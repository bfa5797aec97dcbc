"""What a truncation keeps, while the network learns."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from core.analysis.truncation import WEIGHTS
from core.figures.parts.chart import end_labels, layout, line
from core.figures.parts.numbers import number
from core.figures.parts.style import colour

HEIGHT = 260  # px
ZERO_AT = 0.6  # where the untrained network stands on a logarithmic axis, in updates
MOST = 2.0  # of a ratio that is drawn
DRAWN = {
    "W_hh": ("W_hh", "solid", 3.5),
    "W_xh": ("W_xh", "7px 4px", 2.5),
    "b_h": ("b_h", "2px 4px", 2.5),
}


class Sample(NamedTuple):
    """The live network at one update: truncated against whole, at tau = 1 ... T."""

    update: int
    cosine: Float[np.ndarray, "T 3"]
    ratio: Float[np.ndarray, "T 3"]
    kept: Float[np.ndarray, " T"]


def over_training_figure(samples: Sequence[Sample], tau: int) -> dict[str, Any]:
    """Cosines with the whole gradient, the kept share and the size of dW_hh, against updates."""
    x = [math.log10(max(sample.update, ZERO_AT)) for sample in samples]
    seen = [float(value) for sample in samples for value in sample.cosine[_row(sample, tau)] if math.isfinite(value)]
    seen += [float(sample.ratio[_row(sample, tau), WEIGHTS.index("W_hh")]) for sample in samples]
    shown = [value for value in seen if math.isfinite(value)]
    low, high = math.floor(min([0.0, *shown]) * 5) / 5, min(max([1.0, *shown]), MOST)
    columns = {name: [_finite(sample.cosine[_row(sample, tau), WEIGHTS.index(name)]) for sample in samples] for name in DRAWN}
    data = [
        line(x, column, f"cosine, {name}", colour("backward"), dash=DRAWN[name][1], width=DRAWN[name][2])
        for name, column in columns.items()
    ]
    kept = [_finite(sample.kept[_row(sample, tau)]) for sample in samples]
    data.append(line(x, kept, "kept share", colour("muted"), dash="1px 5px", width=3))
    size = [_finite(sample.ratio[_row(sample, tau), WEIGHTS.index("W_hh")]) for sample in samples]
    data.append(line(x, size, "size ratio, W_hh", colour("text"), dash="12px 4px 2px 4px", width=2))
    ends = [(f"cosine {DRAWN[name][0]}", "backward", column[-1]) for name, column in columns.items()]
    ends.append((f"kept {number(kept[-1], 2) if kept[-1] is not None else ''}", "muted", kept[-1]))
    ends.append(("size W_hh", "text", size[-1]))
    names = [(words, colour(tone), (end - low) / (high - low)) for words, tone, end in ends if end is not None]
    for trace in data:
        trace |= {"mode": "lines+markers", "marker": {"size": 6}}
    chart = layout("updates (log scale)", "cosine; share; ratio", height=HEIGHT)
    far = max([1.0, *[value + 0.05 for value in x]])
    ticks = range(math.ceil(far) + 1)
    chart["xaxis"] |= {
        "range": [math.log10(ZERO_AT) - 0.05, far],
        "tickvals": [math.log10(ZERO_AT), *ticks],
        "ticktext": ["0", *[f"{10**tick:,}".replace(",", "\u2009") for tick in ticks]],
    }
    chart["yaxis"] |= {"range": [low - 0.02, high + 0.04]}
    chart["annotations"] = end_labels(names, HEIGHT)
    return {"data": data, "layout": chart}


def _row(sample: Sample, tau: int) -> int:
    return min(tau, len(sample.kept)) - 1


def _finite(value: float) -> float | None:
    return round(float(value), 4) if math.isfinite(value) else None


def over_training_label(samples: Sequence[Sample], tau: int) -> str:
    """The chart in words."""
    last = samples[-1]
    cosines = ", ".join(f"{name} {number(float(c), 2)}" for name, c in zip(WEIGHTS, last.cosine[_row(last, tau)], strict=True))
    return f"Cosine of the truncated with the whole gradient at update {last.update}: {cosines}."
