"""Direction and size of the truncated gradient relative to the whole one, over tau and over training."""

import math
from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import numpy as np
from jaxtyping import Float

from core.analysis.truncation import LAYER_WEIGHTS, Truncated
from core.config.language import gettext as _
from pages.figures.parts.axes import Axis, updates_axis
from pages.figures.parts.chart import Curve, Figure, chart
from pages.figures.parts.numbers import number
from pages.figures.truncation.block_borders import STOPS

LINES = {"W_hh": ("W_{hh}", "", 3.5), "W_xh": ("W_{xh}", "7 4", 2.5), "b_h": ("b_{h}", "2 4", 2.5)}  # printed, dash, width
TRAINING_HEIGHT = 260  # px of the chart over training
MAX_RATIO = 2.0  # upper limit of the axis over training


class TauLine(TypedDict):
    """A curve over tau = 1 ... T; ``name`` is typeset as a formula, ``label`` is plain text."""

    name: str
    label: str
    dash: str
    width: float
    values: list[float | None]


class TauStop(TypedDict):
    """One stop of the slider, and the value of every curve as text."""

    tau: int
    words: list[str]


class TauChart(TypedDict):
    """A chart over tau; a tick is [value, label]."""

    title: str
    says: str
    axes: list[str]
    lines: list[TauLine]
    taus: list[int]  # that may be labelled, ascending; the last is T
    ends: list[float]  # of the y axis
    ticks: list[tuple[float, str]]
    stops: list[TauStop]
    chosen: int


def tau_chart(
    values: Float[np.ndarray, "T 3"],
    taus: Sequence[int],
    chosen: int,
    *,
    title: str,
    subtitle: str,
    y_title: str,
    low: float | None = None,
) -> TauChart:
    """Curves of W_hh, W_xh and b_h over tau = 1 ... T, which are marked at every stop of a slider.

    ``taus`` has the tau of each stop; ``chosen`` is the index of the current stop. ``low`` is the lower end of the y axis.
    """
    T, finite = len(values), values[np.isfinite(values)]
    axis = _axis(float(finite.min(initial=1.0)) if low is None else low, float(finite.max(initial=1.0)))
    columns = [values[:, LAYER_WEIGHTS.index(name)].tolist() for name in LINES]
    return {
        "title": title,
        "says": subtitle,
        "axes": [_("truncation length τ"), y_title],
        "lines": [
            {"name": printed, "label": name, "dash": dash, "width": width, "values": list(map(axis.drawn, column))}
            for (name, (printed, dash, width)), column in zip(LINES.items(), columns, strict=True)
        ],
        "taus": [*(stop for stop in STOPS if stop < T), T],
        "ends": axis.ends(),
        "ticks": list(axis.ticks),
        "stops": [
            {"tau": tau, "words": [number(column[tau - 1], 3) for column in columns]} for tau in np.minimum(taus, T).tolist()
        ],
        "chosen": chosen,
    }


def _axis(low: float, high: float) -> Axis:
    """The y axis: its ends, rounded outwards to multiples of 0.1, or of 0.02 if the range is at most 0.2; at most six ticks."""
    unit = 0.1 if high - low > 0.2 else 0.02
    low, high = math.floor(low / unit + 1e-9) * unit, math.ceil(high / unit - 1e-9) * unit
    low, high = round(low, 4), round(high if high > low else low + unit, 4)
    step = next(step for step in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 1e9) if (high - low) / step <= 5.01)
    values = [round(i * step, 2) for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]
    return Axis("", low, high, log=False, ticks=[(value, f"{value:.{2 if high - low < 0.25 else 1}f}") for value in values])


class Sample(NamedTuple):
    """The truncated gradient of the live network against the whole one after ``update`` updates, for tau = 1 ... T."""

    update: int
    truncated: Truncated


def over_training_figure(samples: Sequence[Sample], tau: int) -> Figure:
    """Cosines with the whole gradient, the kept share and the size ratio of dW_hh, against updates."""
    x = [sample.update for sample in samples]
    cosines = {name: [_at(sample.truncated.cosine[:, LAYER_WEIGHTS.index(name)], tau) for sample in samples] for name in LINES}
    size = [_at(sample.truncated.ratio[:, LAYER_WEIGHTS.index("W_hh")], tau) for sample in samples]
    kept = [_at(sample.truncated.kept, tau) for sample in samples]
    dots, curves = {"mode": "lines+markers", "size": 6}, []
    for name, (_printed, dash, width) in LINES.items():
        stroke = {"dash": " ".join(f"{length}px" for length in dash.split()) or "solid", "width": width}
        label = _("cosine {weights}", weights=name)
        curves.append(Curve(_("cosine, {weights}", weights=name), x, cosines[name], label=label, **stroke, **dots))
    label = _("kept {share}", share=number(kept[-1], 2))
    curves.append(Curve(_("kept share"), x, kept, "muted", "1px 5px", 3, label=label, **dots))
    curves.append(Curve(_("size ratio, W_hh"), x, size, "text", "12px 4px 2px 4px", 2, label=_("size W_hh"), **dots))
    seen = [value for column in (*cosines.values(), size) for value in column if math.isfinite(value)]
    low, high = math.floor(min([0.0, *seen]) * 5) / 5, min(max([1.0, *seen]), MAX_RATIO)
    y = Axis(_("cosine; share; ratio"), low - 0.02, high + 0.04, log=False)
    return chart(curves, updates_axis(x[-1]), y, height=TRAINING_HEIGHT, right=128)


def _at(of_tau: Float[np.ndarray, " T"], tau: int) -> float:
    """The value at this truncation, or at T if ``tau`` is larger."""
    return float(of_tau[min(tau, len(of_tau)) - 1])


def over_training_label(samples: Sequence[Sample], tau: int) -> str:
    """The chart in words."""
    last = samples[-1]
    cosines = ", ".join(f"{name} {number(_at(last.truncated.cosine[:, i], tau), 2)}" for i, name in enumerate(LAYER_WEIGHTS))
    return _(
        "Cosine of the truncated with the whole gradient at update {update}: {cosines}.", update=last.update, cosines=cosines
    )
