"""What a replaced token leaves behind: the difference of every state and prediction, its curves, and its average over a text."""

import math
from collections.abc import Sequence
from typing import TypedDict

import numpy as np

from core.analysis.replacement import APART, FORGOTTEN, Influence, Replacement
from core.config.language import gettext as _, ngettext, sentences
from core.text.tokenizer import Tokenizer
from pages.figures.parts.axes import Axis, linear_axis, log_axis
from pages.figures.parts.chart import Curve, Figure, chart
from pages.figures.parts.network import hundredths
from pages.figures.parts.numbers import number, percent, probability
from pages.figures.parts.style import colour
from pages.figures.parts.symbols import visible

ROWS = 10  # units whose difference is drawn, at most: those that differ most
SEEN = 0.005  # a change of a probability that is smaller is not seen in its two decimals
HEIGHT = 250  # px


class ReplacementDrawing(TypedDict):
    """The text with the replaced token ``at`` and ``other`` in its place; ``options`` are the tokens that may take it, ``choice``
    this one's index.

    ``units`` are the rows of ``cells``, h' - h of every step in hundredths of the largest; ``distances`` its length, over all
    units. ``probabilities``: of every target, in both readings; ``moved`` the change in hundredths.
    """

    tokens: list[str]
    targets: list[str]
    at: int
    other: str
    options: list[str]
    choice: int
    units: list[int]
    cells: list[list[int]]
    largest: str
    distances: list[str]
    probabilities: list[list[str]]
    moved: list[int]
    says: str


def replacement_drawing(
    found: Replacement, tokens: Sequence[int], targets: Sequence[int], options: Sequence[int], choice: int, tokenizer: Tokenizer
) -> ReplacementDrawing:
    """``options`` are token ids, and ``choice`` the index of the one that was read."""
    size = np.nan_to_num(np.abs(found.difference)).max(axis=0)
    units = np.sort(np.argsort(-size, kind="stable")[:ROWS])
    largest = float(size.max(initial=0))
    symbols = [visible(symbol) for symbol in tokenizer.symbols(np.array(options))]
    change = np.nan_to_num(found.p_other - found.p)
    pairs = zip(found.p.tolist(), found.p_other.tolist(), strict=True)
    return {
        "tokens": [visible(symbol) for symbol in tokenizer.symbols(np.array(tokens))],
        "targets": [visible(symbol) for symbol in tokenizer.symbols(np.array(targets))],
        "at": found.at,
        "other": symbols[choice],
        "options": symbols,
        "choice": choice,
        "units": units.tolist(),
        "cells": hundredths(found.difference[:, units].T, largest or 1.0),
        "largest": number(largest, 2),
        "distances": [number(distance) for distance in found.distance.tolist()],
        "probabilities": [[probability(p) for p in pair] for pair in pairs],
        "moved": np.rint(100 * change).astype(int).tolist(),
        "says": replacement_sentence(found, tokens, targets, options[choice], tokenizer),
    }


def replacement_sentence(
    found: Replacement, tokens: Sequence[int], targets: Sequence[int], other: int, tokenizer: Tokenizer
) -> str:
    """How far to the right the token is seen, when it is forgotten, and where the gradient is wrong about it."""
    if not np.isfinite(found.difference).all():
        return _("The states are not finite.")
    token, instead = (visible(symbol) for symbol in tokenizer.symbols(np.array([tokens[found.at], other])))
    return sentences(_seen(found, targets, token, instead, tokenizer), _forgotten(found), _parted(found))


def _seen(found: Replacement, targets: Sequence[int], token: str, instead: str, tokenizer: Tokenizer) -> str:
    seen = np.flatnonzero(np.abs(found.p_other - found.p) >= SEEN)
    if not len(seen):
        return _("“{other}” for “{token}” moves no p of a target by {seen}.", token=token, other=instead, seen=SEEN)
    t = int(seen[-1])
    numbers = {
        "token": token,
        "other": instead,
        "target": visible(tokenizer.symbols(np.array([targets[t]]))[0]),
        "p": number(float(found.p[t])),
        "q": number(float(found.p_other[t])),
        "n": t - found.at,
    }
    if t == found.at:
        return _("“{other}” for “{token}” moves p({target}) from {p} to {q} at its own step, and none later.", **numbers)
    return ngettext(
        "“{other}” for “{token}” still moves p({target}) from {p} to {q}, {n} step later.",
        "“{other}” for “{token}” still moves p({target}) from {p} to {q}, {n} steps later.",
        numbers["n"],
        **numbers,
    )


def _forgotten(found: Replacement) -> str:
    share, after = percent(FORGOTTEN), found.forgotten
    if after is None:
        return _("Within this text |h′ − h| never falls below {share} of its first size.", share=share)
    return ngettext(
        "After {n} step |h′ − h| is below {share} of its first size: forgotten.",
        "After {n} steps |h′ − h| is below {share} of its first size: forgotten.",
        after,
        n=after,
        share=share,
    )


def _parted(found: Replacement) -> str:
    share, after = percent(APART), found.parted
    if after is None:
        return _("What the gradient foretells is never wrong by {share}.", share=share)
    if after == 0:
        return _("What the gradient foretells is wrong by over {share} at once: a whole token is no small change.", share=share)
    return ngettext(
        "What the gradient foretells is wrong by over {share} from {n} step later on.",
        "What the gradient foretells is wrong by over {share} from {n} steps later on.",
        after,
        n=after,
        share=share,
    )


def distance_figure(found: Replacement) -> Figure:
    """|h' - h| over the steps after the replaced token, on a logarithmic scale, and its linear part."""
    true, linear = found.distance[found.at :].tolist(), found.linear_distance[found.at :].tolist()
    limit = FORGOTTEN * true[0]
    steps = range(len(true))
    curves = [
        Curve(_("true"), steps, true, "forward", width=3, mode="lines+markers", size=6, label=_("true")),
        Curve(_("by the gradient"), steps, linear, "backward", "6px 4px", 2, label=_("by the<br>gradient")),
        Curve(_("forgotten"), steps, [limit] * len(true), "muted", "2px 5px", 1.5, label=percent(FORGOTTEN)),
    ]
    y = log_axis(_("|h′ − h| (log scale)"), (value for curve in curves for value in curve.y))
    return chart(curves, _steps_axis(len(true)), y, height=HEIGHT, right=100)


def log_p_figure(found: Replacement) -> Figure:
    """The change of ln p of every target, true and linear."""
    true, linear = found.log_p[found.at :].tolist(), found.linear_log_p[found.at :].tolist()
    steps = range(len(true))
    curves = [
        Curve(_("true"), steps, true, "forward", width=3, mode="lines+markers", size=6, label=_("true")),
        Curve(_("by the gradient"), steps, linear, "backward", "6px 4px", 2, label=_("by the<br>gradient")),
    ]
    finite = [value for curve in curves for value in curve.y if math.isfinite(value)]
    return chart(
        curves,
        _steps_axis(len(true)),
        linear_axis(_("change of ln p(target), nats"), [0.0, *finite], 0.06),
        height=HEIGHT,
        right=100,
    )


def _steps_axis(steps: int) -> Axis:
    return Axis(_("steps after the replaced token"), -0.3, max(steps - 0.7, 0.7), log=False)


def influence_figure(found: Influence) -> Figure:
    """The mean KL(p || p') over the distance, with an error bar of one standard error at each."""
    lags, mean = range(len(found.mean)), found.mean.tolist()
    curve = Curve(_("mean"), lags, mean, "forward", width=2.5, mode="lines+markers", size=7)
    figure = chart([curve], _steps_axis(len(mean)), log_axis(_("KL(p ‖ p′), nats"), mean), height=HEIGHT)
    bars = [value if math.isfinite(value) else 0.0 for value in found.error.tolist()]
    figure["data"][0]["error_y"] = {"type": "data", "array": bars, "color": colour("forward")}
    return figure


def influence_sentence(found: Influence) -> str:
    """The mean at the replaced token itself and at the longest distance at which it is above two standard errors."""
    with np.errstate(all="ignore"):
        clear = np.flatnonzero(found.mean > 2 * found.error)
    last = int(clear[-1]) if len(clear) else 0

    def value(lag: int) -> str:
        return f"{number(float(found.mean[lag]), 2)} ± {number(float(found.error[lag]), 1)}"

    return _(
        "Over {n} places of the judged text another token moves the prediction by {first} nats at its own step, and by {later} "
        "{lag} steps later.",
        n=found.places,
        first=value(0),
        later=value(last),
        lag=last,
    )
