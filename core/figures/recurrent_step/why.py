"""From n-grams to a latent variable: what each costs on the text at hand."""

import math
from collections.abc import Sequence

from core.analysis.recurrent_step import Growth
from core.figures.parts.chart import end_labels, layout, line
from core.figures.parts.numbers import count, in_hundred, superscript
from core.figures.parts.style import DASHES, Scene, colour

CHART_HEIGHT = 330


def growth_figure(growth: Growth, kind: str) -> Scene:
    """Numbers to learn against n on a log axis; the recurrent network is the only thick line."""
    lines = [
        ("table of<br>n-grams, Vⁿ", [float(value) for value in growth.table], colour("baseline-3"), DASHES[2], 3),
        ("window of<br>n − 1", [float(value) for value in growth.window], colour("baseline-4"), DASHES[0], 3),
        (f"<b>RNN: {count(growth.rnn)}<br>for any n</b>", [float(growth.rnn)] * len(growth.table), colour("forward"), "solid", 5),
    ]
    top = math.log10(max(max(values) for _, values, *_ in lines)) * 1.04
    axes = _axes(kind, "parameters (log scale)", len(growth.table))
    axes["yaxis"] |= {
        "type": "log",
        "range": [0, top],
        "tickvals": _decades(top),
        "ticktext": [_power(v) for v in _decades(top)],
    }
    ends = [(text, tone, math.log10(values[-1]) / top) for text, values, tone, *_ in lines]
    axes["annotations"] = end_labels(ends, CHART_HEIGHT)
    along = range(1, len(growth.table) + 1)
    return {
        "data": [
            line(along, values, "", tone, dash=dash, width=width, hover="n = %{x}: %{text}")
            | {"text": [count(round(value)) for value in values]}
            for _, values, tone, dash, width in lines
        ],
        "layout": axes,
    }


def never_seen_figure(shares: Sequence[float], kind: str) -> Scene:
    """Bars: the share of held-out n-grams that training never saw."""
    percent = [None if math.isnan(share) else round(100 * share, 2) for share in shares]
    axes = _axes(kind, "never seen in training, %", len(shares))
    axes["yaxis"] |= {"range": [0, 108], "tickvals": [0, 25, 50, 75, 100]}
    axes["margin"] |= {"r": 8}
    bars = {
        "type": "bar",
        "x": list(range(1, len(shares) + 1)),
        "y": percent,
        "text": ["" if math.isnan(share) else in_hundred(share) for share in shares],
        "textposition": "outside",
        "textfont": {"size": 14, "color": colour("text")},
        "cliponaxis": False,
        "marker": {"color": colour("baseline-2")},
        "hovertemplate": "n = %{x}: %{y} % never seen<extra></extra>",
    }
    return {"data": [bars], "layout": axes}


def growth_label(growth: Growth) -> str:
    """The chart in words."""
    n = len(growth.table)
    return (
        f"Numbers to learn for n = 1 to {n}: a table of n-grams ends at {count(growth.table[-1])}, a window network at "
        f"{count(growth.window[-1])}, the recurrent network stays at {count(growth.rnn)}."
    )


def never_seen_sentence(shares: Sequence[float] | None) -> str:
    if not shares:
        return "nothing of this text is held out, so nothing can be unseen"
    return "of the n-grams in the held-out text"


def never_seen_label(shares: Sequence[float]) -> str:
    """The chart in words."""
    said = ", ".join(f"{n}: {in_hundred(share)} %" for n, share in enumerate(shares, 1) if not math.isnan(share))
    return f"Share of the held-out n-grams that training never saw, by n. {said}."


def why_words(growth: Growth, shares: Sequence[float] | None, V: int, kind: str) -> list[Scene]:
    """Three ways to predict from the past, each with what it costs on this text."""
    n = 5
    unseen = f", and {in_hundred(shares[n - 1])} % of the held-out {n}-grams never came up in training" if shares else ""
    step = growth.window[2] - growth.window[1]
    return [
        {
            "title": "Count",
            "formula": [["P(x_t | x_{t−1}, …, x_1) ", ""], ["≈ P(x_t | x_{t−1}, …, x_{t−n+1})", ""]],
            "sentences": [
                [[f"A table of n-grams has Vⁿ numbers: {count(growth.table[n - 1])} for V = {count(V)}, n = {n}{unseen}.", ""]]
            ],
        },
        {
            "title": "Look through a window",
            "formula": [["h = φ([x_{t−n+1}, …, x_{t−1}] W + b)", ""]],
            "sentences": [
                [
                    [f"The past side by side before one hidden layer: {count(step)} more numbers for every {kind} ", ""],
                    ["further back, and nothing beyond the window (Bengio et al., 2003).", ""],
                ]
            ],
        },
        {
            "title": "Remember",
            "formula": [["P(x_t | x_{t−1}, …, x_1) ", ""], ["≈ P(x_t | h_{t−1})", "input"]],
            "sentences": [
                [
                    ["h_t = f(x_t, h_{t−1})", "maths"],
                    [f": one state, renewed at every step by the same {count(growth.rnn)} numbers. ", ""],
                    ["No approximation in itself: h could store all it has read, at a price.", ""],
                ]
            ],
        },
    ]  # fmt: skip


def _axes(kind: str, y_title: str, longest: int) -> Scene:
    """n-grams along, one tick for each n."""
    axes = layout(f"n: {kind}s in the n-gram", y_title, height=CHART_HEIGHT)
    axes["xaxis"] |= {"range": [0.5, longest + 0.5], "tickvals": list(range(1, longest + 1))}
    return axes


def _decades(top: float) -> list[float]:
    every = 3 if top > 9 else 1
    every *= math.ceil(top / every / 8)
    return [10.0**e for e in range(0, int(top) + 1, every)]


def _power(value: float) -> str:
    return "1" if value == 1 else f"10{superscript(round(math.log10(value)))}"
