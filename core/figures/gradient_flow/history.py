"""Size against lag, now and at earlier moments of the run."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from core.analysis.vanishing import Experiment
from core.figures.gradient_flow.what_if import lag_chart, per_step, reach
from core.figures.parts.chart import Curve
from core.figures.parts.numbers import count, number, rough_percent

DASHES = ("2px 5px", "6px 6px", "11px 5px", "18px 4px")  # the older, the shorter


class Then(NamedTuple):
    """The network after some update, and how its gradients faded."""

    update: int
    found: Experiment


def lag_history_figure(moments: Sequence[Then], now: Then) -> dict[str, Any]:
    """A curve for each moment, the older the thinner; now is the thick one."""
    past = [then for then in moments if then.update < now.update]
    curves = [_curve(then, i, len(past)) for i, then in enumerate(past)]
    label = f"<b>now, {count(now.update)}</b><br>{per_step(now.found.rate)}"
    curves.append(Curve(f"now, update {count(now.update)}", _lags(now), now.found.relative.tolist(), width=4.5, label=label))
    return lag_chart(curves)


def _curve(then: Then, i: int, many: int) -> Curve:
    name = "untrained" if then.update == 0 else f"update {count(then.update)}"
    return Curve(
        name,
        _lags(then),
        then.found.relative.tolist(),
        dash=DASHES[min(i, len(DASHES) - 1)],
        width=2 + 0.4 * i,
        opacity=0.6 + 0.3 * i / max(many, 1),
        label=name,
    )


def _lags(then: Then) -> list[int]:
    return list(range(then.found.T))


def lag_history_numbers(moments: Sequence[Then], now: Then) -> dict[str, Any]:
    """One row for every moment: factor per step, over the usual reach, and saturation."""
    past = [then for then in moments if then.update < now.update]
    lag = reach(now.found, *(then.found for then in past))
    rows = [_row("untrained" if then.update == 0 else count(then.update), then.found, lag) for then in past]
    return {
        "columns": ["per step", f"{lag} steps", "saturated"],
        "rows": [*rows, _row(f"now, {count(now.update)}", now.found, lag)],
        "sentence": _sentence(past, now),
        "note": f"medians over the same {now.found.T} steps of text for all of them",
    }


def _row(name: str, found: Experiment, lag: int) -> list[str]:
    left = number(float(found.relative[lag]), 2) if lag else "–"
    return [name, f"× {number(found.rate)}", left, rough_percent(found.saturated)]


def _sentence(past: Sequence[Then], now: Then) -> str:
    if not past:
        return "Nothing is learnt yet: press play, and earlier moments stay here to be compared."
    before, after = past[0].found.rate, now.found.rate
    if math.isnan(before) or math.isnan(after):
        return "One of these networks has no gradient that could be compared."
    how = "grows" if after > 1 else "fades faster" if after < before else "fades slower"
    return (
        f"Before training a step back left {number(before)} of a gradient, now it leaves {number(after)}: "
        f"it {how}, with {rough_percent(now.found.saturated)} of the units saturated."
    )
