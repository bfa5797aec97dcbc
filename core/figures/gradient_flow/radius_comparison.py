"""W_hh at another spectral radius: a fresh network beside a copy of the live one, as a chart, in numbers, and a sentence."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from core.analysis.clipping import Clipped
from core.analysis.vanishing import Experiment
from core.figures.gradient_flow.size_against_lag import experiment_curve, fitted_over, lag_chart, per_step, reach
from core.figures.parts import words
from core.figures.parts.chart import Figure
from core.figures.parts.comparison import Comparison, Gauge
from core.figures.parts.numbers import number, rough_percent, short

STRAIGHT = 1e-4  # degrees: less is rounding


class Side(NamedTuple):
    """One network of the comparison. ``by_norm`` and ``by_value`` are None where nothing was clipped."""

    experiment: Experiment
    radius: float
    by_norm: Clipped | None
    by_value: Clipped | None


class Live(NamedTuple):
    """The live network scaled to the radius of the fresh one, and as it is."""

    scaled: Side
    as_is: Experiment
    radius: float  # as it is
    update: int


def what_if_chart(fresh: Side, live: Live | None) -> Figure:
    """Size against lag, each as a multiple of its own at lag 0."""
    label = f"<b>fresh</b><br>{per_step(fresh.experiment)}"
    curves = [experiment_curve("fresh", fresh.experiment, width=4.5, label=label)]
    if live:
        label = f"the network<br>radius {number(live.radius)}"
        curves.append(experiment_curve("the network", live.as_is, tone="ghost", dash="2px 5px", label=label, label_tone="muted"))
        label = f"trained, rescaled<br>{per_step(live.scaled.experiment)}"
        curves.append(experiment_curve("trained, rescaled", live.scaled.experiment, dash="6px 6px", label=label))
    return lag_chart(curves)


def radius_sentence(fresh: Side, live: Live | None) -> str:
    """What the numbers on the screen say about the radius; made from them alone."""
    found = [fresh.experiment, *([live.scaled.experiment] if live else [])]
    lag = reach(*found)
    if lag < 1:
        return "A window of one step has no earlier state: take a longer T."
    factors = [float(experiment.relative[lag]) for experiment in found]
    text = f"At radius {short(fresh.radius)} the fresh network's gradient {_change(factors[0])} over {lag} step{'s' * (lag > 1)}"
    if live:
        saturated = rough_percent(found[1].saturated)
        text += f", that of the rescaled network {_change(factors[1])}, with {saturated} of its units saturated"
    return f"{text}: {_conclusion(fresh.radius, factors)}."


def _change(factor: float) -> str:
    if not math.isfinite(factor):
        return "cannot be compared"
    if factor == 0:
        return "becomes exactly zero"
    return f"grows {number(factor, 2)}-fold" if factor >= 1 else f"shrinks to {number(factor, 2)} of its size"


def _conclusion(radius: float, factors: Sequence[float]) -> str:
    """The sentence's end. A factor that is zero or not finite belongs to neither side."""
    grow, shrink = sum(1 <= f < math.inf for f in factors), sum(0 < f < 1 for f in factors)
    if grow + shrink < len(factors):
        return "here a gradient is zero or no finite number"
    if grow and shrink:
        return "one radius, two answers, so it is not the radius that decides"
    if radius > 1:
        return "a radius above one need not explode" if shrink else "above one, and growing, as the rule of thumb says"
    return "a radius of one or less need not vanish" if grow else "no radius above one, and it vanishes"


def comparison(fresh: Side, live: Live | None, clip: float) -> Comparison:
    """The table beside the chart: one row for each thing measured, one column for each network."""
    sides = [fresh, live.scaled] if live else [fresh]
    found = [side.experiment for side in sides]
    lag = reach(*found)
    rows = [
        ["factor per step back", *(f"× {number(one.rate)}" for one in found)],
        [f"after {lag} steps", *(_factor(one, lag) for one in found)],
        ["units saturated", *(rough_percent(one.saturated) for one in found)],
    ]
    both = f"{words.said('clip_norm', clip)}: both shorten the gradient to this length; clipping by value changes its direction"
    factor = f"factor: {fitted_over(*(one.curve for one in found))}"
    return {
        "columns": ["fresh", f"rescaled, update {live.update}"] if live else ["fresh"],
        "rows": rows,
        "gauges": [
            ["clipped by norm", *_gauges([side.by_norm for side in sides], sides, clip)],
            ["clipped by value", *_gauges([side.by_value for side in sides], sides, clip)],
        ],
        "sentence": radius_sentence(fresh, live),
        "lines": 5 if live else 3,
        "note": f"{factor}; {both if clip else 'clip off: nothing is shortened'}",
    }


def _gauges(clipped: Sequence[Clipped | None], sides: Sequence[Side], clip: float) -> list[Gauge]:
    """A gauge for each network; a full one is the longest gradient before it is clipped."""
    lengths = [side.by_norm.before for side in sides if side.by_norm]
    full = max(filter(math.isfinite, lengths), default=1.0) or 1.0
    return [_gauge(one, clip, full) for one in clipped]


def _factor(found: Experiment, lag: int) -> str:
    return f"× {number(float(found.relative[lag]), 2)}" if lag else "–"


def _gauge(clipped: Clipped | None, clip: float, full: float) -> Gauge:
    """Length before as a bar, length after within it, and by how much the direction was turned."""
    if clipped is None:
        return {"says": "off", "turned": "", "before": 0.0, "after": 0.0}
    before, after, angle = clipped
    lengths = number(before, 3) if before <= clip else f"{number(before, 3)} → {number(after, 3)}"
    turned = "no direction" if math.isnan(angle) else "0°" if angle < STRAIGHT else f"{number(angle, 2)}°"
    share = [length / full if math.isfinite(length) else 1.0 for length in (before, after)]
    return {"says": lengths, "turned": f"turned by {turned}", "before": round(share[0], 4), "after": round(share[1], 4)}


def apply_words(live: Live | None, radius: float, clip: float, clip_now: float) -> str:
    """What the button would do to the network, in words; empty where there is nothing to do."""
    if live is None:
        return ""
    moves = [f"radius {number(live.radius)} → {short(radius)}"]
    if clip != clip_now:
        moves.append(words.moved("clip_norm", clip_now, clip))
    return f"Apply to the network: {', '.join(moves)}"
