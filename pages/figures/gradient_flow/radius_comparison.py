"""W_hh at another spectral radius: a fresh network beside a copy of the live one, as a chart, a table and a sentence."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from core.analysis.vanishing import Clipped, Experiment
from core.config.language import gettext as _, ngettext
from pages.figures.gradient_flow.size_against_lag import common_lag, experiment_curve, fitted_over, lag_chart, per_step
from pages.figures.parts import words
from pages.figures.parts.chart import Figure
from pages.figures.parts.numbers import number, percent, short
from pages.figures.parts.tables import Comparison, Gauge

ANGLE_TOLERANCE = 1e-4  # degrees; a smaller angle is a rounding error


class Side(NamedTuple):
    """One network of the comparison. ``by_norm`` and ``by_value`` are None if clipping is off."""

    experiment: Experiment
    radius: float
    by_norm: Clipped | None
    by_value: Clipped | None


class Live(NamedTuple):
    """The live network, rescaled to the radius of the fresh one and unchanged."""

    scaled: Side
    as_is: Experiment
    radius: float  # of the unchanged network
    update: int


def what_if_chart(fresh: Side, live: Live | None) -> Figure:
    """Gradient size against lag, each curve relative to its own size at lag 0."""
    name = _("fresh")
    curves = [experiment_curve(name, fresh.experiment, width=4.5, label=f"<b>{name}</b><br>{per_step(fresh.experiment)}")]
    if live:
        name, radius = _("the network"), _("radius {radius}", radius=number(live.radius))
        label = f"{name}<br>{radius}"
        curves.append(experiment_curve(name, live.as_is, tone="ghost", dash="2px 5px", label=label, label_tone="muted"))
        name = _("trained, rescaled")
        label = f"{name}<br>{per_step(live.scaled.experiment)}"
        curves.append(experiment_curve(name, live.scaled.experiment, dash="6px 6px", label=label))
    return lag_chart(curves)


class AtRadius(NamedTuple):
    """The fresh network at a radius, and the range of the factor per step over several seeds (nan: not yet measured)."""

    radius: float
    experiment: Experiment
    low: float
    high: float


def radii_chart(seen: Sequence[AtRadius], present: float, others: Sequence[Experiment]) -> Figure:
    """Gradient size against lag of the fresh network at several radii, the ``present`` one bold, on axes that hold ``others``,
    too: nothing moves when one more is drawn."""
    curves = []
    for one in seen:
        name, is_present = _("radius {radius}", radius=short(one.radius)), one.radius == present
        rate = _("× {rate} per step", rate=number(one.experiment.rate))
        known = math.isfinite(one.low) and math.isfinite(one.high)
        seeds = _("seeds: {low} to {high}", low=number(one.low), high=number(one.high)) if known else ""
        look = {"width": 4.5 if is_present else 3, "tone": "backward" if is_present else "ghost"}
        label = f"<b>{name}</b><br>{rate}<br>{seeds}" if is_present else f"{name}<br>{rate}<br>{seeds}"
        label_tone = "" if is_present else "muted"
        curves.append(experiment_curve(name, one.experiment, label=label, label_tone=label_tone, **look))
    return lag_chart(curves, [experiment_curve("", experiment) for experiment in others])


def radius_sentence(fresh: Side, live: Live | None) -> str:
    """A sentence about the radius that uses only the numbers on the screen."""
    found = [fresh.experiment, *([live.scaled.experiment] if live else [])]
    lag = common_lag(*found)
    if lag < 1:
        return _("A window of one step has no earlier state: take a longer T.")
    factors = [float(experiment.relative[lag]) for experiment in found]
    numbers = {"radius": short(fresh.radius), "lag": lag, "fresh": _change(factors[0]), "so": _conclusion(fresh.radius, factors)}
    if not live:
        return ngettext(
            "At radius {radius} the fresh network's gradient {fresh} over {lag} step: {so}.",
            "At radius {radius} the fresh network's gradient {fresh} over {lag} steps: {so}.",
            lag,
            **numbers,
        )
    return ngettext(
        "At radius {radius} the fresh network's gradient {fresh} over {lag} step, that of the rescaled network {rescaled}, with "
        "{saturated} of its units saturated: {so}.",
        "At radius {radius} the fresh network's gradient {fresh} over {lag} steps, that of the rescaled network {rescaled}, with "
        "{saturated} of its units saturated: {so}.",
        lag,
        **numbers,
        rescaled=_change(factors[1]),
        saturated=percent(found[1].saturated),
    )


def _change(factor: float) -> str:
    if not math.isfinite(factor):
        return _("cannot be compared")
    if factor == 0:
        return _("becomes exactly zero")
    if factor >= 1:
        return _("grows {factor}-fold", factor=number(factor, 2))
    return _("shrinks to {factor} of its size", factor=number(factor, 2))


def _conclusion(radius: float, factors: Sequence[float]) -> str:
    """The end of the sentence. A factor that is zero or not finite counts neither as growing nor as shrinking."""
    grow, shrink = sum(1 <= f < math.inf for f in factors), sum(0 < f < 1 for f in factors)
    if grow + shrink < len(factors):
        return _("here a gradient is zero or no finite number")
    if grow and shrink:
        return _("one radius, two answers, so it is not the radius that decides")
    if radius > 1:
        return _("a radius above one need not explode") if shrink else _("above one, and growing, as the rule of thumb says")
    return _("a radius of one or less need not vanish") if grow else _("no radius above one, and it vanishes")


def comparison(fresh: Side, live: Live | None, clip: float) -> Comparison:
    """The table beside the chart: one row for each measurement, one column for each network."""
    sides = [fresh, live.scaled] if live else [fresh]
    found = [side.experiment for side in sides]
    lag = common_lag(*found)
    rows = [
        [_("factor per step back"), *(f"× {number(one.rate)}" for one in found)],
        [_("after {lag} steps", lag=lag), *(f"× {number(float(one.relative[lag]), 2)}" if lag else "–" for one in found)],
        [_("units saturated"), *(percent(one.saturated) for one in found)],
    ]
    lengths = [side.by_norm.before for side in sides if side.by_norm]
    full = max(filter(math.isfinite, lengths), default=1.0) or 1.0  # a full bar: the longest gradient before clipping
    fitted = fitted_over(*(one.curve for one in found))
    note = _("factor: {fitted}; clip off: nothing is shortened", fitted=fitted)
    if clip:
        note = _(
            "factor: {fitted}; {clip}: both shorten the gradient to this length; clipping by value changes its direction",
            fitted=fitted,
            clip=words.setting("clip_norm", clip),
        )
    return {
        "columns": [_("fresh"), *([_("rescaled, update {update}", update=live.update)] if live else [])],
        "rows": rows,
        "gauges": [
            [_("clipped by norm"), *(_gauge(side.by_norm, clip, full) for side in sides)],
            [_("clipped by value"), *(_gauge(side.by_value, clip, full) for side in sides)],
        ],
        "sentence": radius_sentence(fresh, live),
        "lines": 5 if live else 3,
        "note": note,
    }


def _gauge(clipped: Clipped | None, clip: float, full: float) -> Gauge:
    """The length before clipping as a bar, the length after it within that bar, and the change of direction."""
    if clipped is None:
        return {"says": _("off"), "turned": "", "before": 0.0, "after": 0.0}
    before, after, angle = clipped
    lengths = number(before, 3) if before <= clip else f"{number(before, 3)} → {number(after, 3)}"
    turned = _("turned by {angle}", angle="0°" if angle < ANGLE_TOLERANCE else f"{number(angle, 2)}°")
    if math.isnan(angle):
        turned = _("turned by no direction")
    share = [length / full if math.isfinite(length) else 1.0 for length in (before, after)]
    return {"says": lengths, "turned": turned, "before": round(share[0], 4), "after": round(share[1], 4)}


def apply_words(live: Live | None, radius: float, clip: float, clip_now: float) -> str:
    """The label of the button: the change it would make to the live network; empty if ``live`` is None."""
    if live is None:
        return ""
    scaled = _("radius {old} → {new}", old=number(live.radius), new=short(radius))
    if clip == clip_now:
        return _("Apply to the network: {radius}", radius=scaled)
    return _("Apply to the network: {radius}, {clip}", radius=scaled, clip=words.moved("clip_norm", clip_now, clip))
