"""Sizes of one text in bits per token, and the gap between cross-entropy and entropy where the source is known."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from core.analysis.compression import LN_2, Gap, Size
from core.config.language import gettext as _, rich_text, sentences
from pages.figures.parts.axes import Axis, updates_axis
from pages.figures.parts.chart import BARE, BEST_DASH, Curve, Figure, bars, chart, layout, vertical_line
from pages.figures.parts.numbers import count, number
from pages.figures.parts.style import colour, escape
from pages.figures.parts.tables import Panel, panel

BAR = 27  # px per bar
FEET = 84  # px above and below the bars
TONES = {"plain": "cut", "counted": "baseline-3", "network": "forward", "program": "ghost"}  # by kind of size


def sizes_figure(sizes: Sequence[Size], kind: str, floor: float | None) -> Figure:
    """A bar for each way of storing the text, the largest above; ``floor`` is the entropy of its source in bits, if known."""
    ranked = sorted(sizes, key=lambda size: size.per_token)
    longest = max(size.per_token for size in ranked if math.isfinite(size.per_token))
    figure = layout(_("bits per {kind} · kilobytes for all of it", kind=_(kind)), "", height=BAR * len(ranked) + FEET, right=112)
    figure |= {"margin": figure["margin"] | {"l": 168}, "bargap": 0.28}
    figure["xaxis"] |= {"range": [0, 1.02 * longest], "showgrid": True, "gridcolor": colour("line")}
    figure["yaxis"] |= BARE | {"automargin": False, "tickfont": {"color": colour("text")}}
    if floor is not None:
        figure["shapes"] = [vertical_line(floor, "positive", dash=BEST_DASH, layer="above")]
    names = [escape(_(size.name)) for size in ranked]
    made = bars(
        [round(size.per_token, 4) if math.isfinite(size.per_token) else None for size in ranked],
        [f"<b>{name}</b> " if size.kind == "network" else f"{name} " for name, size in zip(names, ranked, strict=True)],
        [f"{number(size.per_token)} · {number(size.kilobytes)} kB" for size in ranked],
        _("{name}: {bits} bits each", name="%{y}", bits="%{x:.3f}"),
        color=[colour(TONES[size.kind]) for size in ranked],
    )
    return {"data": [made | {"orientation": "h"}], "layout": figure}


def sizes_label(sizes: Sequence[Size], kind: str) -> str:
    """The alternative text of the bar chart."""
    each = ", ".join(f"{_(size.name)} {number(size.per_token)}" for size in sizes)
    return _("Bits per {kind}: {sizes}.", kind=_(kind), sizes=each)


def sizes_words(sizes: Sequence[Size], V: int, kind: str, floor: float | None) -> list[Panel]:
    """Panels on cross-entropy as a size, and on the methods compared."""
    network = next(size for size in sizes if size.kind == "network")
    alphabet = math.log2(V)
    if network.bits < alphabet * network.tokens:
        needs = _("<strong>The network needs {bits}</strong>: {factor} times smaller.")
    else:
        needs = _("<strong>The network needs {bits}</strong>: no smaller.")
    loss = rich_text(
        sentences(
            _("With V = {V} symbols, any {kind} fits into log₂ V = {alphabet} bits."),
            needs,
            _("An arithmetic coder that asks it for p writes just that much."),
        ),
        V=count(V),
        kind=_(kind),
        alphabet=number(alphabet),
        bits=number(network.per_token),
        factor=number(alphabet / network.per_token, 2),
    )
    compared = [
        _("The models have read the training text before; zlib and lzma have not."),
        _("“+ training text” is lzma after it has read that text too. The models' own weights are not counted."),
    ]
    if floor:
        compared.append(_("Green: the entropy, {n} bits. A short text may cost a little less by luck.", n=number(floor)))
    return [
        panel(_("A loss is a size"), loss, formula=[_("bits = −log_2 p = nats / ln 2")]),
        panel(_("What is compared"), *compared),
    ]


class GapAtUpdate(NamedTuple):
    """The gap after an update of training."""

    update: int
    gap: Gap


def gap_figure(gaps: Sequence[GapAtUpdate], lag: int) -> Figure:
    """Cross-entropy in bits over updates (log axis), above its minimum, the entropy; the shaded gap is the divergence."""
    x = [each.update for each in gaps]
    cross, measured = [_bits(each.gap.cross_entropy) for each in gaps], [_bits(each.gap.measured) for each in gaps]
    floor = _bits(gaps[-1].gap.entropy)
    label = _("<b>cross-entropy</b><br>{n} bits", n=number(cross[-1]))
    entropy = _("entropy of lag-{k}<br>{n} bits", k=lag, n=number(floor))
    curves = [
        Curve(_("entropy"), x, [floor] * len(x), "positive", BEST_DASH, 2.5, label=entropy),
        Curve(_("cross-entropy"), x, cross, width=3.5, label=label),
        Curve(_("measured on the text"), x, measured, "text", mode="markers", size=5),
    ]
    y = Axis(_("bits per symbol"), 0.0, 1.04 * max([1.1, *filter(math.isfinite, cross)]), log=False)
    figure = chart(curves, updates_axis(x[-1]), y, right=150, unit=_("bits"))
    stripes = {"shape": "/", "fgcolor": colour("backward"), "fgopacity": 0.35, "size": 8, "solidity": 0.25}
    figure["data"][1] |= {"fill": "tonexty", "fillpattern": stripes}
    return figure


def _bits(nats: float) -> float:
    return nats / LN_2


def gap_words(last: Gap, lag: int) -> Panel:
    """The equation behind the chart, with its numbers at the end of training."""
    entropy, divergence, cross = (number(_bits(nats)) for nats in (last.entropy, last.divergence, last.cross_entropy))
    end = _("{cross} = {entropy} + {divergence} bits at the end.", cross=cross, entropy=entropy, divergence=divergence)
    return panel(
        _("The gap is the divergence"),
        [(end, "strong")],
        _("P is the lag-{k} language itself: its next bit is known, up to one flip in twenty. Q is the network.", k=lag),
        _("D is never below 0, so no model goes below the entropy, however long it trains."),
        _("Dots are measured on a text, where luck plays a part."),
        formula=["H(P, Q) = H(P) + D(P ‖ Q)"],
    )


def gap_label(gaps: Sequence[GapAtUpdate]) -> str:
    """The alternative text of the chart of cross-entropy over updates."""
    first, last = gaps[0].gap, gaps[-1].gap
    nats = {"start": first.cross_entropy, "end": last.cross_entropy, "entropy": last.entropy}
    values = {name: number(_bits(value)) for name, value in nats.items()}
    return _("Cross-entropy falls from {start} to {end} bits per symbol; the entropy is {entropy}.", **values)
