"""Sizes of one text in bits per token, and the gap between cross-entropy and entropy where the source is known."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from core.analysis.compression import LN_2, Size
from core.analysis.divergence import Gap
from core.figures.parts.chart import Figure, end_labels, layout, line
from core.figures.parts.numbers import count, number
from core.figures.parts.style import colour, escape

BAR = 27  # px a bar
FEET = 84  # px above and below the bars
COLOURS = {
    "plain": colour("cut"),
    "counted": colour("baseline-3"),
    "network": colour("forward"),
    "program": colour("ghost"),
    "best": colour("positive"),
}
LOG_FROM = 0.6  # where "nothing yet" stands on the axis of updates


def sizes_figure(sizes: Sequence[Size], kind: str, floor: float | None) -> Figure:
    """A bar for each way of storing the text, the largest above; ``floor`` is the entropy of its source in bits, if known."""
    ranked = sorted(sizes, key=lambda size: size.per_token)
    figure = layout(f"bits per {kind} · kilobytes for all of it", "", height=BAR * len(ranked) + FEET, right=112)
    figure["margin"] |= {"l": 168}
    figure["bargap"] = 0.28
    reach = max(size.per_token for size in ranked if math.isfinite(size.per_token))
    figure["xaxis"] |= {"range": [0, 1.02 * reach], "showgrid": True, "gridcolor": colour("line")}
    figure["yaxis"] |= {
        "showgrid": False,
        "ticks": "",
        "showline": False,
        "automargin": False,
        "tickfont": {"color": colour("text")},
    }
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": [_finite(size.per_token) for size in ranked],
        "y": [_bold(size) for size in ranked],
        "text": [f"{number(size.per_token)} · {number(size.kilobytes)} kB" for size in ranked],
        "textposition": "outside",
        "textfont": {"size": 14, "color": colour("text")},
        "cliponaxis": False,
        "marker": {"color": [COLOURS[size.kind] for size in ranked]},
        "hovertemplate": "%{y}: %{x:.3f} bits each<extra></extra>",
    }
    if floor is not None:
        figure["shapes"] = [_upright(floor)]
    return {"data": [bars], "layout": figure}


def _bold(size: Size) -> str:
    return f"<b>{escape(size.name)}</b> " if size.kind == "network" else f"{escape(size.name)} "


def _finite(value: float) -> float | None:
    return round(value, 4) if math.isfinite(value) else None


def _upright(x: float) -> Figure:
    look = {"color": COLOURS["best"], "width": 2, "dash": "12px 3px 2px 3px"}
    return {"type": "line", "yref": "paper", "x0": x, "x1": x, "y0": 0, "y1": 1, "line": look}


def sizes_label(sizes: Sequence[Size], kind: str) -> str:
    said = ", ".join(f"{size.name} {number(size.per_token)}" for size in sizes)
    return f"Bits per {kind}: {said}."


def sizes_words(sizes: Sequence[Size], V: int, kind: str, floor: float | None) -> list[dict[str, Any]]:
    """What cross-entropy has to do with size."""
    network = next(size for size in sizes if size.kind == "network")
    alphabet = math.log2(V)
    luck = [[[f"Green: the entropy, {number(floor)} bits. A short text may cost a little less by luck.", ""]]] if floor else []
    less = (
        f"{number(alphabet / network.per_token, 2)} times smaller" if network.bits < alphabet * network.tokens else "no smaller"
    )
    return [
        {
            "title": "A loss is a size",
            "formula": [["bits = −log_2 p = nats / ln 2", ""]],
            "sentences": [
                [
                    [f"With V = {count(V)} symbols, any {kind} fits into log₂ V = {number(alphabet)} bits. ", ""],
                    [f"The network needs {number(network.per_token)}", "strong"],
                    [f": {less}. An arithmetic coder that asks it for p writes just that much.", ""],
                ]
            ],
        },
        {
            "title": "What is compared",
            "sentences": [
                [["Models have read the training text before; zlib and lzma alone begin with this one. ", ""]],
                [["“+ training text” is lzma after it has read that text too. The weights of no model are counted.", ""]],
                *luck,
            ],
        },
    ]


class Passed(NamedTuple):
    """The gap after some update of training."""

    update: int
    gap: Gap


def gap_figure(passed: Sequence[Passed], lag: int) -> Figure:
    """Cross-entropy falls towards the entropy it can never pass; the shaded gap is the divergence. Bits, log axis of updates."""
    height = 320
    figure = layout("updates (log scale)", "bits per symbol", height=height, right=150)
    x = [math.log10(max(each.update, LOG_FROM)) for each in passed]
    cross = [_bits(each.gap.cross_entropy) for each in passed]
    floor = _bits(passed[-1].gap.entropy)
    reach = max([1.1, *[value for value in cross if value is not None]])
    figure["xaxis"] |= _decades(x)
    figure["yaxis"] |= {"range": [0, 1.04 * reach], "rangemode": "tozero"}
    best = line(x, [floor] * len(x), "entropy", COLOURS["best"], dash="12px 3px 2px 3px", width=2.5)
    above = line(x, cross, "cross-entropy", colour("backward"), width=3.5, hover="cross-entropy %{y:.3f} bits")
    above |= {
        "fill": "tonexty",
        "fillpattern": {"shape": "/", "fgcolor": colour("backward"), "fgopacity": 0.35, "size": 8, "solidity": 0.25},
    }
    dots = line(
        x, [_bits(each.gap.measured) for each in passed], "measured", colour("text"), hover="measured on the text: %{y:.3f} bits"
    )
    dots |= {"mode": "markers", "marker": {"size": 5, "color": colour("text")}}
    ends = [(f"entropy of lag-{lag}<br>{number(floor)} bits", COLOURS["best"], floor / (1.04 * reach))]
    if cross[-1] is not None:
        ends.append(
            (
                f"<b>cross-entropy</b><br>{number(passed[-1].gap.cross_entropy / LN_2)} bits",
                colour("backward"),
                cross[-1] / (1.04 * reach),
            )
        )
    figure["annotations"] = end_labels(ends, height)
    return {"data": [best, above, dots], "layout": figure}


def _decades(x: Sequence[float]) -> Figure:
    ends = range(1, math.ceil(max(x)) + 1)
    first = [math.log10(LOG_FROM)] if min(x) < 0 else []
    return {
        "range": [min(x) - 0.05, max(x) + 0.05],
        "tickangle": 0,
        "tickvals": [*first, *ends],
        "ticktext": [*["0"] * len(first), *[count(10**e) for e in ends]],
    }


def _bits(nats: float) -> float | None:
    return round(nats / LN_2, 4) if math.isfinite(nats) else None


def gap_words(last: Gap, lag: int) -> list[dict[str, Any]]:
    """The equation behind the picture, with its numbers at the end of training."""
    entropy, divergence, cross = (number(nats / LN_2) for nats in (last.entropy, last.divergence, last.cross_entropy))
    return [
        {
            "title": "The gap is the divergence",
            "formula": [["H(P, Q) = H(P) + D(P ‖ Q)", ""]],
            "sentences": [
                [[f"{cross} = {entropy} + {divergence} bits at the end.", "strong"]],
                [[f"P is the lag-{lag} language itself: its next bit is known, up to one flip in twenty. Q is the network.", ""]],
                [["D is never below 0, so no model goes below the entropy, however long it trains.", ""]],
                [["Dots are measured on a text, where luck plays a part.", ""]],
            ],
        }
    ]


def gap_label(passed: Sequence[Passed]) -> str:
    first, last = passed[0].gap, passed[-1].gap
    return (
        f"Cross-entropy falls from {number(first.cross_entropy / LN_2)} to {number(last.cross_entropy / LN_2)} bits per symbol; "
        f"the entropy is {number(last.entropy / LN_2)}."
    )
