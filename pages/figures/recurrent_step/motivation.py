"""From n-grams to a latent variable: the cost of each model on the current text."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from core.analysis.recurrent_step import Growth
from core.config.language import gettext as _, rich_text, sentences
from pages.figures.parts.axes import Axis, power_ticks
from pages.figures.parts.chart import Curve, Figure, bars, chart, layout, marker, markers, note
from pages.figures.parts.numbers import count, in_hundred, number, superscript
from pages.figures.parts.style import BASELINE_DASHES, colour
from pages.figures.parts.tables import Panel, panel

HEIGHT = 330  # px


class Asked(NamedTuple):
    """The question of a scene: what a table for ``n`` costs, where that for ``given`` stands; V symbols."""

    given: int
    n: int
    V: int


def growth_figure(growth: Growth, kind: str, asked: Asked | None = None) -> Figure:
    """Number of parameters against n on a log axis; only the line of the recurrent network is thick.

    ``asked``: both tables of the question are marked, with V in numbers; first of all the given one, which stands while the
    answer is hidden."""
    along = range(1, len(growth.table) + 1)
    numbers = count(growth.rnn)
    state = _("a state:<br>{numbers}", numbers=numbers) if asked else _("with a state:<br>{numbers}, any n", numbers=numbers)
    lines = [
        (_("table<br>Vⁿ") if asked else _("table of<br>n-grams, Vⁿ"), growth.table, "baseline-3", BASELINE_DASHES[2], 3),
        *([] if asked else [(_("window of<br>n − 1"), growth.window, "baseline-4", BASELINE_DASHES[0], 3)]),
        (f"<b>{state}</b>", [growth.rnn] * len(growth.table), "forward", "solid", 5),
    ]
    curves = [
        Curve("", along, values, tone, dash, width, label=name, hover=[f"n = {n}: {count(values[n - 1])}" for n in along])
        for name, values, tone, dash, width in lines
    ]
    top = 1.04 * math.log10(max(value for curve in curves for value in curve.y))
    y = Axis(_("parameters (log scale)"), 0.0, top, ticks=power_ticks(0.0, top))
    figure = chart(curves, _orders("" if asked else kind, len(growth.table)), y, height=HEIGHT, right=80 if asked else 128)
    if asked:
        _mark_tables(figure, growth, asked)
    return figure


def _mark_tables(figure: Figure, growth: Growth, asked: Asked) -> None:
    """Mark the tables of both n on their curve. The given one is the last trace and the first notes: live_figure.css."""
    tables, (first, V) = {n: growth.table[n - 1] for n in asked[:2]}, (superscript(asked.given), asked.V)
    words = {
        asked.given: f"V{first} = {V}{first} = {count(growth.table[asked.given - 1])}",
        asked.n: f"V{superscript(asked.n)} ≈ {count(growth.table[asked.n - 1])}",
    }
    below = {"xanchor": "left", "xshift": 10, "yanchor": "top", "yshift": -2}
    given, other = (note(f"<b>{words[n]}</b>", x=n, y=math.log10(tables[n]), **below) for n in asked[:2])
    figure["layout"]["annotations"] = [given, *figure["layout"]["annotations"], other]
    for n in (asked.n, asked.given):
        figure["data"].append(markers(f"n = {n}", [n], [float(tables[n])], [f"n = {n}"], marker(13, "text", "background", 2)))


def never_seen_figure(shares: Sequence[float], kind: str, asked: Asked | None = None) -> Figure:
    """Bars: the share of held-out n-grams that training never saw; that of the n ``asked`` for stands out."""
    percent = [None if math.isnan(share) else round(100 * share, 2) for share in shares]
    x = _orders("" if asked else kind, len(shares))
    axes = layout(x.title, _("never seen in training, %"), height=HEIGHT, right=8)
    axes["xaxis"] |= x.to_plotly()
    axes["yaxis"] |= {"range": [0, 108], "tickvals": [0, 25, 50, 75, 100]}
    texts = ["" if math.isnan(share) else in_hundred(share) for share in shares]
    orders, tones = range(1, len(shares) + 1), ["baseline-2"] * len(shares)
    if asked:
        texts[asked.n - 1], tones[asked.n - 1] = f"<b>{texts[asked.n - 1]}</b>", "text"
    hover = _("n = %{x}: %{y} % never seen")
    return {"data": [bars(orders, percent, texts, hover, color=[colour(tone) for tone in tones])], "layout": axes}


def growth_label(growth: Growth) -> str:
    """The chart in words."""
    return _(
        "Numbers to learn for n = 1 to {n}: a table of n-grams ends at {table}, a window network at {window}, the recurrent "
        "network stays at {rnn}.",
        n=len(growth.table),
        table=count(growth.table[-1]),
        window=count(growth.window[-1]),
        rnn=count(growth.rnn),
    )


def never_seen_sentence(shares: Sequence[float] | None) -> str:
    """The subtitle of the chart: the text that the n-grams are taken from."""
    if not shares:
        return _("no part of this text is held out")
    return _("of the n-grams in the held-out text")


def never_seen_label(shares: Sequence[float]) -> str:
    """The chart in words."""
    text = ", ".join(f"{n}: {_('{n} %', n=in_hundred(share))}" for n, share in enumerate(shares, 1) if not math.isnan(share))
    return _("Share of the held-out n-grams that training never saw, by n. {shares}.", shares=text)


class Example(NamedTuple):
    """A few symbols of the text, and two counts for each factor of their 2-gram product: occurrences, and out of how many."""

    text: str
    factors: list[tuple[int, int]]

    def sentence(self) -> str:
        """The product in numbers."""
        quotients = [often / of for often, of in self.factors]
        factors = " · ".join(number(p, 2) for p in quotients)
        return _("For “{text}”: {factors} = {p}.", text=self.text, factors=factors, p=number(math.prod(quotients), 2))


def motivation_panels(
    growth: Growth, shares: Sequence[float] | None, V: int, kind: str, activation: str, example: Example | None
) -> list[Panel]:
    """Three ways to predict from the past, each with its cost on this text."""
    return [_count(growth, shares, V, kind, example), _window(growth, kind, activation), _remember(growth)]


def _count(growth: Growth, shares: Sequence[float] | None, V: int, kind: str, example: Example | None) -> Panel:
    n = 6
    markov = _(
        "<strong>Markov property, order n − 1</strong>: only the last n − 1 {kind}s count. "
        "<strong>2-grams</strong>: <maths>{law}</maths>."
    )
    factors = "P(x_1, …, x_T) ≈ P(x_1) P(x_2 | x_1) … P(x_T | x_{T−1})"
    product = example.sentence() if example else ""
    sizes = {"numbers": count(growth.table[n - 1]), "V": count(V), "n": n}
    table = _("A table of n-grams has Vⁿ numbers: {numbers} for V = {V}, n = {n}.", **sizes)
    if shares:
        table = _(
            "A table of n-grams has Vⁿ numbers: {numbers} for V = {V}, n = {n}, and {unseen} % of the held-out {n}-grams never "
            "came up in training.",
            **sizes,
            unseen=in_hundred(shares[n - 1]),
        )
    return panel(
        _("Count"),
        rich_text(sentences(markov, "{product}" if product else ""), kind=_(kind), law=factors, product=product),
        table,
        formula=["P(x_t | x_{t−1}, …, x_1) ", "≈ P(x_t | x_{t−1}, …, x_{t−n+1})"],
    )


def _window(growth: Growth, kind: str, activation: str) -> Panel:
    sentence = _(
        "The last n − 1 {kind}s stand side by side before one hidden layer. Each {kind} further back costs {step} more numbers, "
        "and what is older is not seen (Bengio et al., 2003). <strong>CBOW</strong> takes their mean instead. It was made for "
        "the <strong>posterior probability</strong> of a {kind} given those on both sides, <maths>{both}</maths>; with those to "
        "its left alone it is a language model, again of order n − 1.",
    )
    sizes = {"kind": _(kind), "step": count(growth.window[2] - growth.window[1])}
    posterior = rich_text(sentence, both="P(x_t | x_{t−1}, x_{t+1})", **sizes)
    return panel(_("Look through a window"), posterior, formula=[f"h = {activation}", "([x_{t−n+1}, …, x_{t−1}] U + c)"])


def _remember(growth: Growth) -> Panel:
    sentence = _(
        "<maths>{law}</maths>: one state, renewed at every step by the same {numbers} numbers. It is also called a "
        "<strong>latent variable</strong>. In itself it is no approximation: h could store all that was read, at the price of "
        "memory and time."
    )
    formula = ["P(x_t | x_{t−1}, …, x_1) ", ("≈ P(x_t | h_{t−1})", "input")]
    return panel(_("Remember"), rich_text(sentence, law="h_t = f(x_t, h_{t−1})", numbers=count(growth.rnn)), formula=formula)


def _orders(kind: str, longest: int) -> Axis:
    """The x axis: n, with one tick for each value; without a ``kind`` its title is "n" alone."""
    ticks = [(float(n), str(n)) for n in range(1, longest + 1)]
    return Axis(_("n: {kind}s in the n-gram", kind=_(kind)) if kind else "n", 0.5, longest + 0.5, log=False, ticks=ticks)
