"""Counting against learning: one table of all models, perplexity by position in the window, and what memorising looks like."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from core.analysis.compression import LN_2
from core.analysis.position import Bin, Table
from core.figures.parts.chart import Figure, end_labels, layout, line
from core.figures.parts.grid import cell, grid, row
from core.figures.parts.numbers import count, number, superscript
from core.figures.parts.style import DASHES, Scene, colour
from core.models.ngram import NAMES, Baseline
from core.training.history import Point

HEIGHT = 330
NOTHING = -0.2  # where update 0 stands on a logarithmic axis
FAR = 6.0  # times the unigram: a uniform model beyond it is only in the table


class Judged(NamedTuple):
    """The network in the table: its mean loss in nats per token, and its parameters."""

    nats: float
    parameters: int


def models_grid(baselines: Sequence[Baseline], plain: Table, network: Judged, V: int, kind: str) -> Scene:
    """Every model judged on the same text: perplexity, bits per token, the numbers it stores, and those of a full table."""
    largest = math.log(V)

    def line_of(name: str, perplexity: float, stored: int, full: str, tone: str = "") -> Scene:
        bits = math.log2(perplexity) if perplexity > 0 else math.nan
        share = min(bits * LN_2 / largest, 1.0) if math.isfinite(bits) else (1.0 if perplexity == math.inf else 0.0)
        shown = cell(number(perplexity), bar=share, tone="" if tone else "muted")
        return row(name, [shown, cell(number(bits)), cell(count(stored)), cell(full, tone="muted")], tone=tone)

    rows = [
        line_of(b.name, b.perplexity, b.parameters, f"V{superscript(b.order)} = {count(b.table)}" if b.order else "1")
        for b in baselines
    ]
    unsmoothed = line_of("bigram, not smoothed", plain.perplexity, plain.stored, "V² = " + count(V**2))
    perplexity = math.exp(min(network.nats, 700.0)) if not math.isnan(network.nats) else math.nan
    own = line_of("RNN, now", perplexity, network.parameters, "the same for any n", "forward")
    return grid(
        ["model", "perplexity", f"bits per {kind}", "numbers stored", "a full table"],
        [*rows[:3], unsmoothed, *rows[3:], own],
        label="Counting models and the network on the same text",
    )


def position_figure(
    bins: Sequence[Bin], counted: Sequence[Sequence[float]], network: Sequence[float], carried: float, kind: str
) -> Figure:
    """Perplexity by tokens of the window read so far, log scale: a line for each order, the network thick.

    ``carried`` is the network's perplexity with the state carried on into each window (a dashed line), nan for none. The
    uniform model is left out where V is far above all others.
    """
    x = [math.log10(math.sqrt(each.first * each.last)) for each in bins]
    lines = [
        _Line(NAMES[order], values, colour(f"baseline-{order}"), DASHES[order], 2)
        for order, values in enumerate(counted)
        if order or _near(counted)
    ]
    lines.append(_Line("RNN", network, colour("forward"), "solid", 4.5))
    known = [value for each in lines for value in each.values if math.isfinite(value)]
    low, high = 0.9 * min(known, default=1.0), 1.1 * max(known, default=10.0)
    if math.isfinite(carried) and low < carried < high:
        lines.append(_Line("state carried", [carried] * len(bins), colour("forward"), "6px 5px", 2))
    figure = layout(f"{kind}s of the window read so far (log scale)", "perplexity (log scale)", height=HEIGHT)
    figure["xaxis"] |= _window_axis(bins[-1].last, x[-1])
    figure["yaxis"] |= {"type": "log", "range": [math.log10(low), math.log10(high)], **_ticks(low, high)}
    figure["annotations"] = end_labels([each.label(low, high) for each in lines if math.isfinite(each.values[-1])], HEIGHT)
    return {"data": [each.drawn(x, bins) for each in lines], "layout": figure}


class _Line(NamedTuple):
    """A model's perplexity in every bin of positions, and how it is drawn."""

    name: str
    values: Sequence[float]
    tone: str
    dash: str
    width: float

    def drawn(self, x: Sequence[float], bins: Sequence[Bin]) -> Figure:
        y = [round(value, 3) if math.isfinite(value) else None for value in self.values]
        said = f"{self.name} after %{{text}}: %{{y:.2f}}"
        places = [round(place, 4) for place in x]
        made = line(places, y, self.name, self.tone, dash=self.dash, width=self.width, hover=said)
        return made | {"text": [each.name for each in bins]}

    def label(self, low: float, high: float) -> tuple[str, str, float]:
        """Its name and last value, in its colour (muted for a counting model), and how high that is in the picture."""
        text, own = f"{self.name} {number(self.values[-1])}", self.tone == colour("forward")
        share = math.log(self.values[-1] / low) / math.log(high / low)
        return f"<b>{text}</b>" if self.name == "RNN" else text, self.tone if own else colour("muted"), min(share, 1.0)


def _window_axis(T: int, last: float) -> Figure:
    """A logarithmic axis of positions 1 to T, its places given as log10; ``last`` is that of the last bin."""
    ticks = [tick for e in range(4) for tick in (10**e, 2 * 10**e, 5 * 10**e) if tick <= T]
    places = {"tickvals": [math.log10(tick) for tick in ticks], "ticktext": list(map(str, ticks))}
    return places | {"tickangle": 0, "range": [-0.04, max(last, 0.3) + 0.03]}


def _near(counted: Sequence[Sequence[float]]) -> bool:
    """Whether the uniform model can be drawn without pressing all others together."""
    return counted[0][0] <= FAR * max(counted[1])


def _ticks(low: float, high: float) -> Figure:
    steps = (1, 2, 3, 4, 5, 7) if high / low < 30 else (1, 2, 5)
    values = [factor * 10.0**e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1) for factor in steps]
    shown = [value for value in values if low <= value <= high]
    return {"tickvals": shown, "ticktext": [number(value, 2) if value < 10 else count(round(value)) for value in shown]}


def position_label(bins: Sequence[Bin], network: Sequence[float]) -> str:
    first, last = number(network[0]), number(network[-1])
    return f"The network's perplexity is {first} after one token of the window, {last} after {bins[-1].name}."


class Memorising(NamedTuple):
    """A network on some words: its curve on its own training text, and a bigram table of plain counts on the same words."""

    name: str
    curve: Sequence[Point]
    table: Table
    parameters: int
    epochs: float
    tokens: int
    vocab_size: int


def memorising_figure(runs: Sequence[Memorising], updates: int) -> Figure:
    """Perplexity on the training text against updates, both log; each network's bigram table is a dashed line of its colour."""
    figure = layout("updates (log scale)", "perplexity on its training text", height=HEIGHT, right=168)
    top = 1.2 * max(run.vocab_size for run in runs)
    low = 0.8 * min(run.table.perplexity for run in runs)
    end = max(1.0, math.log10(updates))
    figure["xaxis"] |= {"range": [NOTHING - 0.05, end + 0.05], "tickvals": [NOTHING, *range(1, math.floor(end) + 1)]}
    figure["xaxis"] |= {"tickangle": 0, "ticktext": ["0", *[_thousands(10**e) for e in range(1, math.floor(end) + 1)]]}
    figure["yaxis"] |= {"type": "log", "range": [math.log10(low), math.log10(top)], **_ticks(low, top)}
    tones = (colour("forward"), colour("ghost"))
    curves, ends, scale = [], [], math.log(top / low)
    for run, tone in zip(runs, tones, strict=True):
        x = [math.log10(point.update) if point.update else NOTHING for point in run.curve]
        y = [round(point.perplexity, 3) if math.isfinite(point.perplexity) else None for point in run.curve]
        curves.append(line(x, y, run.name, tone, width=4, hover=f"{run.name}: %{{y:.2f}}"))
        bigram = round(run.table.perplexity, 3)
        curves.append(line([NOTHING - 0.05, end + 0.05], [bigram] * 2, f"bigram of {run.name}", tone, dash=DASHES[2], width=2))
        ends.append((f"bigram of {run.name}<br>{number(bigram)}", tone, math.log(bigram / low) / scale))
        if y and y[-1]:
            ends.append((f"<b>RNN, {run.name}<br>{number(y[-1])}</b>", tone, math.log(y[-1] / low) / scale))
    figure["annotations"] = end_labels([(text, tone, min(share, 1.0)) for text, tone, share in ends], HEIGHT)
    return {"data": curves, "layout": figure}


def _thousands(updates: int) -> str:
    return f"{updates // 1000} k" if updates >= 1000 else str(updates)


def memorising_grid(runs: Sequence[Memorising]) -> Scene:
    """What each network stores beside what its table stores, and where both stand now."""
    rows = [
        row(
            run.name,
            [
                cell(count(run.vocab_size)),
                cell(number(run.epochs)),
                cell(number(run.curve[-1].perplexity), tone="forward"),
                cell(number(run.table.perplexity)),
                cell(count(run.parameters)),
                cell(count(run.table.stored)),
            ],
        )
        for run in runs
    ]
    head = ["training text", "V", "epochs", "RNN", "bigram table", "RNN stores", "table stores"]
    return grid(head, rows, label="Network and bigram table on their own training text")


def memorising_label(runs: Sequence[Memorising]) -> str:
    said = [
        f"{run.name}: network {number(run.curve[-1].perplexity)}, bigram table {number(run.table.perplexity)}" for run in runs
    ]
    return f"Perplexity on the training text. {'; '.join(said)}."
