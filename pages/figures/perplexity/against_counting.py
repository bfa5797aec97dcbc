"""N-gram models and the network compared: a table of all models, perplexity by position in the window, and memorisation."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from core.analysis.compression import LN_2
from core.analysis.position import Bin, Table
from core.config.language import gettext as _, lazy_gettext
from core.models.loss import perplexity_of
from core.models.ngram import ORDER_NAMES, Baseline
from core.training.curves import Point
from pages.figures.parts.axes import Axis, log_axis_between, log_ticks, updates_axis
from pages.figures.parts.chart import Curve, Figure, chart, level_curve, note, vertical_line
from pages.figures.parts.numbers import count, number, superscript
from pages.figures.parts.style import BASELINE_DASHES
from pages.figures.parts.tables import Grid, Row, cell, grid, row

HEIGHT = 330  # px
NETWORK = lazy_gettext("the network")
MAX_UNIFORM_RATIO = 6.0  # times the unigram's perplexity: a uniform model above this is only in the table
PLAIN_BIGRAM = lazy_gettext("bigram, not smoothed")  # unlike the bigram of ``core.models.ngram``


def position_figure(
    bins: Sequence[Bin], counted: Sequence[Sequence[float]], network: Sequence[float], carried: float, kind: str
) -> Figure:
    """Perplexity by tokens of the window read so far, log scale: a line for each n-gram order, a thick one for the network.

    ``carried`` is the network's perplexity with the state carried over into each window (a dashed line), nan for none. The
    uniform model is omitted if its perplexity is far above that of the unigram.
    """
    orders = range(0 if counted[0][0] <= MAX_UNIFORM_RATIO * max(counted[1]) else 1, len(counted))
    curves = [_over_window(bins, ORDER_NAMES[n], counted[n], f"baseline-{n}", BASELINE_DASHES[n]) for n in orders]
    curves.append(_over_window(bins, NETWORK, network, "forward", "solid"))
    known = [value for curve in curves for value in curve.y if math.isfinite(value)]
    y = log_axis_between(_("perplexity (log scale)"), 0.9 * min(known, default=1.0), 1.1 * max(known, default=10.0))
    if y.ends()[0] < carried < y.ends()[1]:
        curves.append(_over_window(bins, _("state carried"), [carried] * len(bins), "forward", "6px 5px"))
    T, last = bins[-1].last, max(math.log10(curves[0].x[-1]), 0.3)
    x = Axis(_("{kind}s read (log scale)", kind=_(kind)), -0.04, last + 0.03, ticks=log_ticks(1, T))
    return chart(curves, x, y, height=HEIGHT, right=128)


def _over_window(bins: Sequence[Bin], name: str, values: Sequence[float], tone: str, dash: str) -> Curve:
    """A model's perplexity in every bin of positions; the label of an n-gram model is muted."""
    middles = [math.sqrt(each.first * each.last) for each in bins]
    hover = [
        _("{model} after {n}: {perplexity}", model=_(name), n=each.name, perplexity=f"{value:.2f}")
        for each, value in zip(bins, values, strict=True)
    ]
    label, width, label_tone = f"{_(name)} {number(values[-1])}", 2, "forward" if tone == "forward" else "muted"
    if name == NETWORK:
        label, width = f"<b>{label}</b>", 4.5
    return Curve(name, middles, values, tone, dash, width, label=label, label_tone=label_tone, hover=hover)


def position_label(bins: Sequence[Bin], network: Sequence[float]) -> str:
    """The alternative text of the chart by position."""
    values = {"first": number(network[0]), "last": number(network[-1]), "n": bins[-1].name}
    return _("The network's perplexity is {first} after one token of the window, {last} after {n}.", **values)


class Memorising(NamedTuple):
    """A network trained on a short text: its curve on that text, and a bigram table of plain counts of the same text."""

    name: str
    curve: Sequence[Point]
    table: Table
    parameters: int
    epochs: float
    vocab_size: int


def memorising_figure(runs: Sequence[Memorising], updates: int, passes: tuple[int, int] | None = None) -> Figure:
    """Perplexity on the training text against updates, both log; each network's bigram table is a dashed line of its colour.
    ``passes``: how many passes over the text end at which update, which is marked."""
    x = updates_axis(updates)
    curves = []
    for run, tone, label_tone in zip(runs, ("forward", "ghost"), ("forward", "muted"), strict=False):
        steps, perplexities = [point.update for point in run.curve], [point.perplexity for point in run.curve]
        text, last = _(run.name), number(perplexities[-1]) if perplexities else ""
        label = _("<b>the network,<br>{text} {perplexity}</b>", text=text, perplexity=last) if last else ""
        curves.append(Curve(text, steps, perplexities, tone, width=4, label=label, label_tone=label_tone))
        name, table = f"{PLAIN_BIGRAM}, {run.name}", run.table.perplexity
        label = _("bigram, not smoothed,<br>{text} {perplexity}", text=text, perplexity=number(table))
        curves.append(level_curve(name, table, x, tone, BASELINE_DASHES[2], text=label, label=label, label_tone=label_tone))
    lowest = [run.table.perplexity for run in runs] + [run.curve[-1].perplexity for run in runs if run.curve]
    low, high = 0.8 * min(lowest), 1.2 * max(run.vocab_size for run in runs)
    figure = chart(curves, x, log_axis_between(_("perplexity on its training text"), low, high), height=HEIGHT, right=168)
    if passes:
        place = {"x": x.place(passes[1]), "xanchor": "right", "xshift": -4, "yref": "paper", "y": 1, "yanchor": "top"}
        figure["layout"]["shapes"] = [vertical_line(passes[1], "cut", dash="5px 5px", layer="below")]
        figure["layout"]["annotations"].append(note(_("{n} passes", n=passes[0]), **place))
    return figure


def memorising_grid(runs: Sequence[Memorising]) -> Grid:
    """How many numbers each network and its bigram table store, and the present perplexities of both."""
    rows = []
    for run in runs:
        text = [cell(count(run.vocab_size)), cell(number(run.epochs))]
        perplexities = [cell(number(run.curve[-1].perplexity), tone="forward"), cell(number(run.table.perplexity))]
        stored = [cell(count(run.parameters)), cell(count(run.table.stored))]
        rows.append(row(_(run.name), [*text, *perplexities, *stored]))
    stores = [_("the network stores"), _("the bigram stores")]
    head = [_("training text"), "V", _("epochs"), _(NETWORK), _(PLAIN_BIGRAM), *stores]
    return grid(head, rows, label=_("The network and the bigram that is not smoothed, on their own training text"))


def memorising_label(runs: Sequence[Memorising]) -> str:
    """The alternative text of the chart of both runs."""
    perplexities = []
    for run in runs:
        values = {"network": number(run.curve[-1].perplexity), "table": number(run.table.perplexity)}
        perplexities.append(_("{text}: the network {network}, bigram, not smoothed {table}", text=_(run.name), **values))
    return _("Perplexity on the training text. {perplexities}.", perplexities="; ".join(perplexities))


class Network(NamedTuple):
    """The network in the table: its name, its parameters, and its mean loss in nats per token (nan: unknown)."""

    name: str
    parameters: int
    nats: float = math.nan


def models_grid(baselines: Sequence[Baseline], network: Network, V: int, kind: str, plain: Table | None = None) -> Grid:
    """Every model judged on the same text: perplexity, bits per token, the numbers it stores, and those of a full table.

    ``plain``: bigrams without smoothing, in a row after the smoothed bigrams.
    """
    counted = [
        (_(b.name), b.perplexity, b.parameters, f"V{superscript(b.order)} = {count(b.table)}" if b.order else "1")
        for b in baselines
    ]
    if plain:
        counted.insert(3, (_(PLAIN_BIGRAM), plain.perplexity, plain.stored, f"V² = {count(V**2)}"))
    own = (network.name, perplexity_of(network.nats), network.parameters, _("the same for any n"))
    return grid(
        [_("model"), _("perplexity"), _("bits per {kind}", kind=_(kind)), _("numbers stored"), _("a full table")],
        [*(_model(*each, V=V) for each in counted), _model(*own, V=V, tone="forward")],
        label=_("Counting models and the network on the same text"),
    )


def _model(name: str, perplexity: float, stored: int, full: str, *, V: int, tone: str = "") -> Row:
    """A row; the length of its bar is the model's bits per token divided by those of uniform guessing (at most 1)."""
    bits = math.log2(perplexity) if perplexity > 0 else math.nan
    share = 0.0 if math.isnan(bits) else min(bits * LN_2 / math.log(V), 1.0)
    shown = cell(number(perplexity), bar=share, tone="" if tone else "muted")
    return row(name, [shown, cell(number(bits)), cell(count(stored)), cell(full, tone="muted")], tone=tone)
