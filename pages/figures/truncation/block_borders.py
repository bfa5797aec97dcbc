"""Borders between the blocks of a truncated window in the drawing of the unrolled network, and the gradient kept, in words."""

import math
from collections.abc import Sequence
from typing import TypedDict

from core.analysis.truncation import LAYER_WEIGHTS, Truncated
from core.config.language import gettext as _, lazy_gettext, ngettext, sentences
from pages.figures.parts.backward import Border
from pages.figures.parts.numbers import count, percent, short

CARRY, RESET, NO_CUT = "carry", "reset", "no cut"
MODES = ((CARRY, lazy_gettext("carry h, cut dh")), (RESET, lazy_gettext("reset h")), (NO_CUT, lazy_gettext("no cut")))
STOPS = (1, 2, 3, 5, 8, 13, 20, 35)


class Kept(TypedDict):
    """A share in large type, what it is a share of, the number of kept cells, and what it was where a scene began."""

    number: str
    says: str
    detail: str
    ghost: str


def borders(T: int, tau: int, mode: str) -> list[Border]:
    """The borders between blocks of tau steps: the state is carried or reset, the gradient is cut. Empty for ``NO_CUT``."""
    if mode == NO_CUT:
        return []
    forward = "reset" if mode == RESET else "carried"
    return [Border(after=t, forward=forward, backward="cut", name=f"h{t}") for t in range(tau, T, tau)]


def cut_sentence(T: int, tau: int, mode: str, reach: float) -> str:
    """A sentence on the effect of the cut at this tau. ``reach``: mean number of steps that a loss goes back."""
    if mode == NO_CUT:
        return _("No cut: every loss reaches back to the first step.")
    if tau == T:
        return _("τ = {tau} is the whole window: nothing is cut, every loss reaches back to the first step.", tau=tau)
    if tau > T:
        return _(
            "τ = {tau} is longer than this window of {T}: nothing is cut, every loss reaches back to the first step.",
            tau=tau,
            T=T,
        )
    if mode == RESET:
        effect = _(
            "Every {steps} the state is set to zero: nothing crosses a border in either direction, so nothing is dropped.",
            steps=_steps(tau),
        )
    elif tau == 1:
        effect = _("τ = 1: no loss reaches an earlier state. W_hh learns only to use the state it is handed, never to write one.")
    else:
        effect = sentences(
            _("The state is handed on from block to block (stateful training)."),
            _("On average a loss reaches back {steps}; the first loss of a block reaches no earlier state.", steps=_steps(reach)),
        )
    rest = _("{T} is no multiple of {tau}: the last block has {steps}.", T=T, tau=tau, steps=_steps(T % tau))
    return sentences(effect, rest if T % tau else "")


def scheme_words(scheme: str, tau: int, k1: int, reach: float) -> str:
    """A caption of the triangle and its truncation scheme. ``reach``: mean number of steps that a loss goes back."""
    triangle = _("A row for every loss, a column for every state it could reach; sizes in nats per unit of h.")
    values, kept = {"k1": k1, "steps": _steps(tau), "reach": _steps(reach)}, ""
    if scheme == "window":
        kept = _(
            "Here every loss keeps its newest {steps}, {reach} back on average; the drawing above is cut in blocks, as in "
            "training.",
            **values,
        )
    elif scheme == "tbptt" and k1 == 1:
        kept = _(
            "Here the newest loss goes back {steps} every step; the drawing above is cut in blocks, as in training.", **values
        )
    elif scheme == "tbptt":
        kept = _(
            "Here the newest {k1} losses go back {steps} every {k1} steps; the drawing above is cut in blocks, as in training.",
            **values,
        )
    return sentences(triangle, kept)


def _steps(many: float) -> str:
    return ngettext("{n} step", "{n} steps", many, n=short(float(f"{many:.3g}")))


def lost_panel(curves: Truncated, tau: int, begins: int) -> Kept:
    """What an update loses by the truncation ``tau``: the difference of dW_hh from the whole one, its turn and its length; and,
    if it is another one, what it lost with that of the beginning of a scene."""
    which = LAYER_WEIGHTS.index("W_hh")
    turn = {"angle": angle(curves.cosine[tau - 1, which]), "length": _share(curves.ratio[tau - 1, which])}
    then = {"tau": begins, "share": _share(curves.lost[begins - 1, which])}
    return {
        "number": _share(curves.lost[tau - 1, which]),
        "says": _("off: dW_hh points {angle} away, {length} as long", **turn),
        "detail": "",
        "ghost": _("at τ = {tau}: {share}", **then) if tau != begins else "",
    }


def lost_curve(curves: Truncated, taus: Sequence[int]) -> list[float]:
    """What an update of W_hh loses at each of these truncations, as a share of the whole, at most 1."""
    lost = curves.lost[:, LAYER_WEIGHTS.index("W_hh")]
    return [round(min(float(lost[tau - 1]), 1.0), 3) if math.isfinite(lost[tau - 1]) else 1.0 for tau in taus]


def _share(share: float) -> str:
    return percent(share) if math.isfinite(share) else "–"


def angle(cosine: float) -> str:
    """The angle of this cosine in degrees; – if there is no direction."""
    return f"{math.degrees(math.acos(min(cosine, 1.0))):.0f}°" if math.isfinite(cosine) else "–"


def kept_panel(share: float, first: Sequence[int], mode: str) -> Kept:
    """The panel of one stop. With the state reset it shows 100 %: the cells that are not kept are zero."""
    T = len(first)
    cells, dropped = T * (T + 1) // 2, sum(k - 1 for k in first)
    detail = _("{kept} of {all} cells", kept=count(cells - dropped), all=count(cells))
    if mode == RESET:
        share, detail = 1.0, _("the others are exactly zero")
    kept = "–"
    if math.isfinite(share):  # "100 %" only if nothing at all is dropped
        kept = percent(share) if share == 1 else percent(min(share, 0.999), 1 if share > 0.99 else 0)
    return {"number": kept, "says": _("of the sum of sizes"), "detail": detail, "ghost": ""}
