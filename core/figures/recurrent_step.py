"""The recurrent step, drawn: matrices as blocks, shapes to scale, and the words beside them.

A formula is written as in a text: ``W_{xh}``; a piece of one is ``[text, tone]``. Matrices are named by both sources where a
reader meets them.
"""

import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from core.analysis.recurrent_step import (
    AfterText,
    Growth,
    Numbers,
    Order,
    StepBack,
    StepMatrices,
    TwoWays,
    difference,
    moved,
)
from core.figures.network import visible
from core.figures.style import DASHES, FONT, colour, count, escape, number

Scene = dict[str, Any]
Pieces = list[list[str]]
WIDTH = 972  # px of the main area
CELL_WIDTH = {1: (25, 45), 4: (52, 58)}  # decimals: narrowest and widest cell, px
MINUS = "−"


def fixed(value: float, decimals: int) -> str:
    """A number with so many decimals and a true minus sign; never minus zero.

    Rounded to nine decimals first, so that two results that differ by rounding alone, one just above a half and one just
    below, read the same.
    """
    return f"{round(round(float(value), 9), decimals) + 0.0:.{decimals}f}".replace("-", MINUS)


def full(value: float) -> str:
    """A number as it can be typed: no trailing zeros, at most six decimals."""
    return f"{round(value, 6) + 0.0:.6f}".rstrip("0").rstrip(".").replace("-", MINUS)


def exponent(value: float) -> str:
    """A tiny number as two figures and a power of ten; plain 0 when it is exactly that."""
    return "exactly 0" if value == 0 else f"{value:.1e}".replace("-", MINUS)


# Two products, one product


def products(m: StepMatrices, ways: TwoWays, *, decimals: int, notice: str = "") -> Scene:
    """X W_xh + H W_hh above, [X, H] [W_xh; W_hh] below, cell by cell the same."""
    N, D, H = *m.X.shape, m.W_hh.shape[0]
    cell = _cell(D + 4 * H, decimals)
    given = _Cells(decimals, m.X, m.W_xh, m.H, m.W_hh)
    result = _Cells(_result_decimals(cell, decimals), ways.two, ways.one)
    X, W_xh = given.part("X", m.X, "input", edit=True), given.part("W_xh", m.W_xh, "input", edit=True)
    h, W_hh = given.part("H", m.H, "memory", edit=True), given.part("W_hh", m.W_hh, "memory", edit=True)
    above = [
        _matrix("X", [X], "row"), "·", _matrix("W_{xh}", [W_xh], "column"), "+",
        _matrix("H", [h], "row"), "·", _matrix("W_{hh}", [W_hh], "column"), "=",
        _matrix("X W_{xh} + H W_{hh}", [result.part("sum of two products", ways.two)], "cell"),
    ]  # fmt: skip
    below = [
        _matrix("[X, H]", [X, h], "row"), "·", _matrix("[W_{xh} ; W_{hh}]", [W_xh, W_hh], "column", stack="down"), "=",
        _matrix("the same", [result.part("one product", ways.one)], "cell"),
    ]  # fmt: skip
    return {
        "cell": cell,
        "equations": [above, below],
        "beside": 1,
        "lit": [min(1, N - 1), min(2, H - 1)],
        "sum": _sum(m, ways, decimals),
        "notice": notice,
    }


def products_words() -> list[Scene]:
    """The sentence that the two equations prove."""
    return [
        {
            "formula": [
                ["H_t = φ(", ""],
                ["X_t W_{xh}", "input"],
                [" + H_{t−1} W_{hh} + b_h)  =  φ([", ""],
                ["X_t", "input"],
                [", H_{t−1}] [", ""],
                ["W_{xh}", "input"],
                [" ; W_{hh}] + b_h)", ""],
            ],
            "sentences": [
                [
                    ["So a recurrent layer is one affine layer on ", ""],
                    ["what comes in", "input"],
                    [" next to ", ""],
                    ["what it remembers", "memory"],
                    [". Type other numbers into the cells: the two stay equal up to rounding.", ""],
                ]
            ],
        }
    ]


def _sum(m: StepMatrices, ways: TwoWays, decimals: int) -> Scene:
    """The addends of every cell, written out; those from the input are blue."""
    left, right = np.concatenate([m.X, m.H], axis=1), np.concatenate([m.W_xh, m.W_hh])
    D = m.X.shape[1]
    return {
        "title": "The cell under the pointer",
        "addends": [
            [_addends(left[n], right[:, j], ways.addends[n, j], D, decimals) for j in range(right.shape[1])]
            for n in range(len(left))
        ],
        "totals": [[fixed(value, max(2, decimals)) for value in row] for row in ways.one],
        "note": [["largest difference of all cells", exponent(ways.difference)]],
    }


def _addends(
    row: Float[np.ndarray, " K"], column: Float[np.ndarray, " K"], products: Float[np.ndarray, " K"], D: int, decimals: int
) -> list[list[str]]:
    tones = ["input"] * D + ["memory"] * (len(row) - D)
    return [
        [fixed(a, decimals), _bracketed(b, decimals), fixed(product, max(2, decimals)), tone]
        for a, b, product, tone in zip(row, column, products, tones, strict=True)
    ]


def _bracketed(value: float, decimals: int) -> str:
    text = fixed(value, decimals)
    return f"({text})" if text.startswith(MINUS) else text


def _cell(columns: int, decimals: int, matrices: int = 5) -> list[int]:
    """Width, height and font size of a cell, px, so that ``columns`` of them stand in one line where that is possible."""
    narrow, wide = CELL_WIDTH[decimals]
    room = (WIDTH - 42 * matrices) // columns - 2
    width = min(max(room, narrow), wide)
    return [width, 30 if width >= 38 else 28, 16 if width >= 42 and decimals == 1 else 14 if width >= 32 else 12]


def _result_decimals(cell: Sequence[int], decimals: int) -> int:
    return decimals if decimals > 1 or cell[0] < 40 else 2


class _Cells:
    """Numbers as they stand in cells: ``decimals`` places, coloured on one scale from the largest of all ``arrays`` down."""

    def __init__(self, decimals: int, *arrays: np.ndarray) -> None:
        self.decimals = decimals
        self._scale = max(float(np.abs(x).max(initial=0)) for x in arrays) or 1.0

    def part(self, name: str, values: Float[np.ndarray, "A B"], tone: str = "", *, edit: bool = False) -> Scene:
        return {"id": name, "tone": tone, "edit": edit, "cells": [[self._cell(value) for value in row] for row in values]}

    def _cell(self, value: float) -> list[Any]:
        return [fixed(value, self.decimals), round(float(value) / self._scale, 3), full(value)]


def _matrix(name: str, parts: Sequence[Scene], lights: str = "", *, stack: str = "across") -> Scene:
    heights, widths = [len(part["cells"]) for part in parts], [len(part["cells"][0]) for part in parts]
    rows, columns = (heights[0], sum(widths)) if stack == "across" else (sum(heights), widths[0])
    return {"name": name, "shape": f"{rows}×{columns}", "lights": lights, "stack": stack, "parts": list(parts)}


# Why a state

SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
CHART_HEIGHT = 330
LABEL_GAP = 20  # px between two labels at the right edge


def growth_figure(growth: Growth, kind: str) -> Scene:
    """Numbers to learn against n on a log axis; the recurrent network is the only thick line."""
    lines = [
        ("table of<br>n-grams, Vⁿ", [float(value) for value in growth.table], colour("baseline-3"), DASHES[2], 3),
        ("window of<br>n − 1", [float(value) for value in growth.window], colour("baseline-4"), DASHES[0], 3),
        (f"<b>RNN: {count(growth.rnn)}<br>for any n</b>", [float(growth.rnn)] * len(growth.table), colour("forward"), "solid", 5),
    ]
    top = math.log10(max(max(values) for _, values, *_ in lines)) * 1.04
    ends = _apart([math.log10(values[-1]) / top for _, values, *_ in lines], 2 * LABEL_GAP / (CHART_HEIGHT - 74))
    layout = _chart(f"n: {kind}s in the n-gram", "parameters (log scale)", len(growth.table))
    layout["yaxis"] |= {
        "type": "log",
        "range": [0, top],
        "tickvals": _decades(top),
        "ticktext": [_power(v) for v in _decades(top)],
    }
    layout["annotations"] = [_end_label(text, at, tone) for (text, _, tone, *_), at in zip(lines, ends, strict=True)]
    return {"data": [_curve(*line) for line in lines], "layout": layout}


def never_seen_figure(shares: Sequence[float], kind: str) -> Scene:
    """Bars: the share of held-out n-grams that training never saw."""
    percent = [None if math.isnan(share) else round(100 * share, 2) for share in shares]
    layout = _chart(f"n: {kind}s in the n-gram", "never seen in training, %", len(shares))
    layout["yaxis"] |= {"range": [0, 108], "tickvals": [0, 25, 50, 75, 100]}
    layout["margin"] = layout["margin"] | {"r": 8}
    bars = {
        "type": "bar",
        "x": list(range(1, len(shares) + 1)),
        "y": percent,
        "text": ["" if value is None else _percent(value) for value in percent],
        "textposition": "outside",
        "textfont": {"size": 14, "color": colour("text")},
        "cliponaxis": False,
        "marker": {"color": colour("baseline-2")},
        "hovertemplate": "n = %{x}: %{y} % never seen<extra></extra>",
    }
    return {"data": [bars], "layout": layout}


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
    said = ", ".join(f"{n}: {_percent(100 * share)} %" for n, share in enumerate(shares, 1) if not math.isnan(share))
    return f"Share of the held-out n-grams that training never saw, by n. {said}."


def why_words(growth: Growth, shares: Sequence[float] | None, V: int, kind: str) -> list[Scene]:
    """Three ways to predict from the past, each with what it costs on this text."""
    n = 5
    unseen = f", and {_percent(100 * shares[n - 1])} % of the held-out {n}-grams never came up in training" if shares else ""
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


def _percent(value: float) -> str:
    return "0" if value == 0 else f"{value:.1f}" if value < 9.95 else f"{value:.0f}"


def _curve(name: str, values: list[float], tone: str, dash: str, width: float) -> Scene:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name.replace("<br>", " "),
        "x": list(range(1, len(values) + 1)),
        "y": values,
        "text": [count(round(value)) for value in values],
        "hovertemplate": "n = %{x}: %{text}<extra></extra>",
        "line": {"color": tone, "dash": dash, "width": width},
    }


def _end_label(text: str, at: float, tone: str) -> Scene:
    return {
        "xref": "paper",
        "x": 1,
        "xanchor": "left",
        "xshift": 6,
        "yref": "paper",
        "y": at,
        "yanchor": "middle",
        "align": "left",
        "text": text,
        "showarrow": False,
        "font": {"size": 14, "color": tone},
    }


def _apart(places: list[float], gap: float) -> list[float]:
    """Places between 0 and 1 pushed apart to ``gap``, in their order."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    spread, least = list(places), gap / 2
    for i in order:
        spread[i] = least = max(spread[i], least)
        least += gap
    most = 1.0
    for i in reversed(order):
        spread[i] = min(spread[i], most)
        most = spread[i] - gap
    return spread


def _decades(top: float) -> list[float]:
    every = 3 if top > 9 else 1
    every *= math.ceil(top / every / 8)
    return [10.0**e for e in range(0, int(top) + 1, every)]


def _power(value: float) -> str:
    return "1" if value == 1 else f"10{str(round(math.log10(value))).translate(SUPERSCRIPT)}"


def _chart(x_title: str, y_title: str, longest: int) -> Scene:
    axis = {"zeroline": False, "showline": True, "linecolor": colour("muted"), "ticks": "outside", "tickcolor": colour("muted")}
    return {
        "height": CHART_HEIGHT,
        "margin": {"l": 62, "r": 128, "t": 20, "b": 54},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": False,
        "font": {"family": FONT, "size": 14, "color": colour("muted")},
        "hoverlabel": {
            "font": {"family": FONT, "size": 14, "color": colour("text")},
            "bgcolor": colour("raised"),
            "bordercolor": colour("line"),
        },
        "xaxis": axis
        | {
            "range": [0.5, longest + 0.5],
            "tickvals": list(range(1, longest + 1)),
            "showgrid": False,
            "fixedrange": True,
            "title": {"text": escape(x_title), "standoff": 6, "font": {"size": 14}},
        },
        "yaxis": axis
        | {"gridcolor": colour("line"), "fixedrange": True, "title": {"text": y_title, "standoff": 6, "font": {"size": 14}}},
    }


# Shapes

DRAWING = (880, 100)  # px that the matrices of one line may take, and the height of the tallest
GAPS = 36  # px between two matrices


def shapes(N: int, D: int, H: int, V: int) -> Scene:
    """Every matrix of one step, to one scale; D = 0 is a one-hot input, V wide. Filled: learnt. Outlined: computed each step."""
    width = D or V
    lines = [
        [
            _shape("X_t", N, width, "input"), "·", _shape("W_{xh}", width, H, "learnt"), "+",
            _shape("H_{t−1}", N, H, "memory"), "·", _shape("W_{hh}", H, H, "learnt"), "+",
            _shape("b_h", 1, H, "learnt"), "φ →", _shape("H_t", N, H, "memory"),
        ],
        [
            _shape("H_t", N, H, "memory"), "·", _shape("W_{hq}", H, V, "learnt"), "+",
            _shape("b_q", 1, V, "learnt"), "=", _shape("O_t", N, V, "plain"),
            *(["  X_t: rows of", _shape("W_{emb}", V, D, "learnt")] if D else []),
        ],
    ]  # fmt: skip
    scale = min(_scale([item for item in line if isinstance(item, dict)]) for line in lines)
    for item in (item for line in lines for item in line if isinstance(item, dict)):
        item |= {"w": round(item["columns"] * scale, 2), "h": round(item["rows"] * scale, 2)}
    return {"lines": lines, "scale": f"{1 / scale:.2g} numbers a pixel" if scale < 1 else f"{scale:.2g} pixels a number"}


def _shape(name: str, rows: int, columns: int, tone: str) -> Scene:
    return {"name": name, "rows": rows, "columns": columns, "says": f"{count(rows)}×{count(columns)}", "tone": tone}


def _scale(items: Sequence[Scene]) -> float:
    """Pixels a number at which a line of matrices is neither too wide nor too high."""
    room = DRAWING[0] - GAPS * len(items)
    return min(room / sum(item["columns"] for item in items), DRAWING[1] / max(item["rows"] for item in items), 30.0)


def shapes_words(n: Numbers) -> list[Scene]:
    """What is learnt, matrix by matrix; and that it is the same however long the text."""
    return [
        {
            "title": "Learnt (second source's name)",
            "aside": f"{count(n.total)} numbers",
            "rows": [
                [[[MATHS[name], "maths"], [f"  {SECOND_NAMES[name]}  {_times(shape)}", ""]], count(math.prod(shape))]
                for name, shape in n.learnt.items()
            ],
        },
        {
            "title": "The same for longer texts",
            "rows": [[f"T = {T}: learnt", count(n.total)] for T in n.kept],
            "sentences": [
                [
                    ["The same matrices are used in every step", "strong"],
                    [", because the law of the text is taken not to change with time.", ""],
                ]
            ],
        },
        {
            "title": "What does grow",
            "rows": [[f"T = {T}: states kept", count(kept)] for T, kept in n.kept.items()],
            "sentences": [[["T·N·H numbers: not learnt, only kept until the gradient has come back past them.", ""]]],
        },
    ]


MATHS = {name: re.sub("_(.*)", r"_{\1}", name) for name in ("W_xh", "W_hh", "b_h", "W_hq", "b_q", "W_emb")}
SECOND_NAMES = {"W_xh": "Wx", "W_hh": "Wh", "b_h": "b", "W_hq": "affine W", "b_q": "affine b", "W_emb": "embed_W"}


def _times(shape: Sequence[int]) -> str:
    return "×".join(count(size) for size in shape)


# Without and with

LAST = 5  # tokens drawn as columns
STRIP = 16  # units of a strip
FAVOURITES = 5  # tokens whose probability is written out
WITHOUT = [["H = φ(X W_{xh} + b_h)   ", ""], ["O = H W_{hq} + b_q", ""]]
WITH = [["H_t = φ(X_t W_{xh} + ", ""], ["H_{t−1} W_{hh}", "lit"], [" + b_h)   ", ""], ["O_t = H_t W_{hq} + b_q", ""]]


CAPTIONS = {  # by whether there is a state
    False: "A hidden layer lies between input and output, within one step.",
    True: "A hidden state is handed on: an input to the next step.",
}


class Judged(NamedTuple):
    """A network's held-out perplexity, and how far it was trained."""

    perplexity: float
    updates: int


def two_networks(
    symbols: Sequence[str], pair: tuple[int, int], without: tuple[AfterText, AfterText], with_state: tuple[AfterText, AfterText],
    *, vocabulary: Sequence[str], kind: str, judged: tuple[Judged, Judged], memory: float,
) -> Scene:  # fmt: skip
    """The same text through both networks, as written and with two tokens exchanged: (before, after) of each."""
    alike = symbols[pair[0]] == symbols[pair[1]]
    after = list(symbols)
    after[pair[0]], after[pair[1]] = symbols[pair[1]], symbols[pair[0]]
    return {
        "kind": kind,
        "before": [visible(symbol) for symbol in symbols],
        "after": [visible(symbol) for symbol in after],
        "pair": list(pair),
        "sides": [
            _side("Without a state", WITHOUT, "hidden layer", False, symbols, without, vocabulary)
            | {"perplexity": _perplexity(judged[0], "trained here to update")}
            | {"verdict": _verdict(without, kind, alike)},
            _side("With a state", WITH, "hidden state", True, symbols, with_state, vocabulary)
            | {"perplexity": _perplexity(judged[1], "the live run at update")}
            | {
                "verdict": [
                    *_verdict(with_state, kind, alike),
                    [f" Memory gives {_percent(100 * memory)} % of its last pre-activation.", ""],
                ]
            },
        ],
    }


def _side(
    title: str, formula: Pieces, label: str, state: bool, symbols: Sequence[str], read: tuple[AfterText, AfterText],
    vocabulary: Sequence[str],
) -> Scene:  # fmt: skip
    before, after = read
    h = np.nan_to_num(before.h[-LAST:, :STRIP])
    scale = max(float(np.abs(h).max(initial=0)), 1e-9)
    best = np.argsort(-np.nan_to_num(before.p), kind="stable")[:FAVOURITES]
    return {
        "title": title,
        "formula": formula,
        "label": label,
        "caption": CAPTIONS[state],
        "state": state,
        "columns": [
            {"token": visible(symbol), "cells": [round(float(value) / scale, 2) for value in column]}
            for symbol, column in zip(symbols[-LAST:], h, strict=True)
        ],
        "predictions": [
            [visible(vocabulary[i]), *_share(before.p[i]), *_share(after.p[i])] for i in best.tolist()
        ],
    }  # fmt: skip


def _share(p: float) -> list[Any]:
    """A probability as a length from 0 to 1 and in words."""
    return [0.0, "–"] if math.isnan(p) else [round(float(p), 4), f"{_percent(100 * p)} %"]


def _perplexity(judged: Judged, where: str) -> list[str]:
    return [number(judged.perplexity), f"held-out perplexity, {where} {count(judged.updates)}"]


def _verdict(read: tuple[AfterText, AfterText], kind: str, alike: bool) -> Pieces:
    """Whether the exchange moved the prediction, and by how much."""
    amount = moved(*read)
    if math.isnan(amount):
        return [["Its numbers are no longer finite.", "strong"]]
    if alike:
        return [[f"These two {kind}s are alike: nothing was exchanged.", "strong"]]
    if amount == 0:
        return [["The prediction does not move at all", "strong"], [f": it sees only the last {kind}.", ""]]
    return [[f"The prediction moves: {_tiny(100 * amount)} % of the probability", "strong"], [" changes its place.", ""]]


def _tiny(percent: float) -> str:
    return _percent(percent) if percent >= 0.1 else number(percent, 2)


# One step back

BACK_DECIMALS = 2
CURVE_HEIGHT = 250


def step_back(m: StepMatrices, b: StepBack) -> Scene:
    """Six equations, each with its shapes and numbers; the products are those that the shapes allow."""
    N, H = b.dt.shape
    cells = _Cells(BACK_DECIMALS, b.dh_next, b.slope, b.dt), _Cells(BACK_DECIMALS, m.X, m.H, m.W_xh, m.W_hh)
    flow, given = cells
    out = _Cells(BACK_DECIMALS, b.dW_hh, b.dW_xh, b.dh_prev, b.dx, b.db[None])
    dt = flow.part("dt", b.dt, "back")
    scenes = [
        _equation(
            "dt = dh_next * (1 − h_next ** 2)", "∂L/∂A_t = ∂L/∂H_t ⊙ φ^′(A_t)", "Each unit for itself: no product, one factor.",
            [_matrix("dh_{next}", [flow.part("dh_next", b.dh_next, "back")], "cell-of"), "*",
             _matrix("1 − h_{next}^2", [flow.part("slope", b.slope)], "cell-of"), "=", _matrix("dt", [dt], "cell")],
        ),
        _equation(
            "db = sum(dt, axis=0)", "∂L/∂b_h = Σ_n ∂L/∂A_t[n]", f"b was added to all {N} rows, so it hears the sum of all {N}.",
            [_matrix("dt", [dt], "column"), "Σ rows =", _matrix("db", [out.part("db", b.db[None], "back")], "cell")],
        ),
        _equation(
            "dWh = dot(h_prev.T, dt)", "∂L/∂W_{hh} = H_{t−1}^⊤ ∂L/∂A_t", f"({H}×{N})·({N}×{H}): only so it gives {H}×{H}.",
            [_matrix("H_{t−1}^⊤", [given.part("h_prev.T", m.H.T, "memory")], "row"), "·", _matrix("dt", [dt], "column"), "=",
             _matrix("dW_{hh}", [out.part("dW_hh", b.dW_hh, "back")], "cell")],
        ),
        _equation(
            "dh_prev = dot(dt, Wh.T)", "∂L/∂H_{t−1} = ∂L/∂A_t W_{hh}^⊤", "This goes on to the step before: it is its dh_next.",
            [_matrix("dt", [dt], "row"), "·", _matrix("W_{hh}^⊤", [given.part("Wh.T", m.W_hh.T)], "column"), "=",
             _matrix("dh_{prev}", [out.part("dh_prev", b.dh_prev, "back")], "cell")],
        ),
        _equation(
            "dWx = dot(x.T, dt)", "∂L/∂W_{xh} = X_t^⊤ ∂L/∂A_t", "As dWh, with what came in instead of what was remembered.",
            [_matrix("X_t^⊤", [given.part("x.T", m.X.T, "input")], "row"), "·", _matrix("dt", [dt], "column"), "=",
             _matrix("dW_{xh}", [out.part("dW_xh", b.dW_xh, "back")], "cell")],
        ),
        _equation(
            "dx = dot(dt, Wx.T)", "∂L/∂X_t = ∂L/∂A_t W_{xh}^⊤", "This goes down to the embedding.",
            [_matrix("dt", [dt], "row"), "·", _matrix("W_{xh}^⊤", [given.part("Wx.T", m.W_xh.T)], "column"), "=",
             _matrix("dx", [out.part("dx", b.dx, "back")], "cell")],
        ),
    ]  # fmt: skip
    return {"cell": [32, 26, 12], "equations": scenes, "each": True, "lit": [0, 0]}


def _equation(second: str, first: str, words: str, items: list[Any]) -> Scene:
    """An equation in a panel of its own, named as both sources name it."""
    return {"second": second, "first": first, "words": words, "items": items}


def slope_figure(b: StepBack, curve: tuple[Float[np.ndarray, " P"], Float[np.ndarray, " P"]]) -> Scene:
    """tanh' with every unit of the step on it: where a unit stands is what it lets through."""
    layout = _chart("pre-activation a", "tanh′ = 1 − tanh² = 1/cosh²", 1)
    reach = float(curve[0][-1])
    layout |= {"height": CURVE_HEIGHT, "margin": {"l": 52, "r": 8, "t": 8, "b": 48}}
    layout["xaxis"] |= {"range": [-reach, reach], "tickvals": [-4, -2, 0, 2, 4]}
    layout["yaxis"] |= {"range": [0, 1.08], "tickvals": [0, 0.5, 1]}
    rows, units = np.indices(b.a.shape)
    line = {
        "type": "scatter",
        "mode": "lines",
        "x": curve[0].round(3).tolist(),
        "y": curve[1].round(4).tolist(),
        "hoverinfo": "skip",
        "line": {"color": colour("baseline-3"), "width": 2},
    }
    dots = {
        "type": "scatter",
        "mode": "markers",
        "x": b.a.ravel().round(4).tolist(),
        "y": b.slope.ravel().round(4).tolist(),
        "text": [f"row {n + 1}, unit {j + 1}" for n, j in zip(rows.ravel().tolist(), units.ravel().tolist(), strict=True)],
        "hovertemplate": "%{text}<br>a = %{x}, lets %{y} through<extra></extra>",
        "marker": {"color": colour("backward"), "size": 11, "line": {"color": colour("background"), "width": 1}},
    }
    return {"data": [line, dots], "layout": layout}


def slope_label(b: StepBack) -> str:
    """The chart in words."""
    low, high = fixed(b.slope.min(), 2), fixed(b.slope.max(), 2)
    return f"tanh′ over the pre-activation. The factors of {b.slope.size} units reach from {low} to {high}."


def step_back_words(b: StepBack) -> list[Scene]:
    """Where the orange begins, and what the curve says."""
    closed = int((b.slope < CLOSED).sum())
    return [
        {
            "title": "One step, backward",
            "aside": "orange: what flows back",
            "formula": [["dh_{next}", "back"], [" → ", ""], ["dt", "back"], [" → ", ""], [RESULTS, "back"]],
            "sentences": [
                [
                    ["The step is ", ""], ["h_{next} = tanh(h_{prev} W_h + x W_x + b)", "maths"],
                    [", with the numbers of “Two products, one product”. ", ""],
                    ["dh_{next}", "maths"],
                    [" comes from the loss above it (in a longer text, also from the step after it); ", ""],
                    ["everything else follows, and each product is the one that its shapes allow.", ""],
                ],
                [
                    ["Each dot on the curve is one unit of one row. ", ""],
                    [f"{closed} of {b.slope.size} let less than a tenth of the gradient through", "strong"],
                    [": far from a = 0, tanh is flat. That factor, once for every step, is why gradients vanish.", ""],
                ],
                [["Above each equation: the second source's code, and the first source's derivative in the same shapes.", ""]],
            ],
        }
    ]  # fmt: skip


RESULTS = "db, dW_h, dh_{prev}, dW_x, dx"
CLOSED = 0.1  # a tenth: a factor below it is said to let little through

# Order

ORDER_DECIMALS = 1


def order(o: Order, words: tuple[str, str]) -> Scene:
    """Two words in both orders, put together in three ways."""
    one, other = words
    given = _Cells(ORDER_DECIMALS, o.vectors)
    made = _Cells(2, o.summed), _Cells(2, o.states)
    x, y = given.part(one, o.vectors[:1], "input"), given.part(other, o.vectors[1:], "input")
    a, b = _subscript(one), _subscript(other)

    def summed(row: int, left: Scene, right: Scene, names: tuple[str, str]) -> list[Any]:
        return [
            _matrix(f"x_{names[0]}", [left]), "+", _matrix(f"x_{names[1]}", [right]), "=",
            _matrix("sum", [made[0].part("sum", o.summed[row : row + 1])]),
        ]  # fmt: skip

    def state(row: int, names: tuple[str, str]) -> Scene:
        return _matrix(f"h after {names[0]}, {names[1]}", [made[1].part("state", o.states[row : row + 1], "memory")])

    return {
        "cell": [42, 30, 16],
        "each": True,
        "wide": True,
        "equations": [
            _equation(
                "Sum of word vectors (CBOW)", "", _compared(o.summed),
                [*summed(0, x, y, (a, b)), _sign(o.summed), *summed(1, y, x, (b, a))],
            ),
            _equation(
                "Side by side", "", _compared(o.joined),
                [_matrix(f"[x_{a}, x_{b}]", [x, y]), _sign(o.joined), _matrix(f"[x_{b}, x_{a}]", [y, x])],
            ),
            _equation(
                "One after the other", "", _compared(o.states),
                [state(0, words), _sign(o.states), state(1, (other, one))],
            ),
        ],
    }  # fmt: skip


def _subscript(word: str) -> str:
    return f"{{{word}}}"


def _sign(rows: Float[np.ndarray, "2 W"]) -> str:
    return "=" if difference(rows) == 0 else "≠"


def _compared(rows: Float[np.ndarray, "2 W"]) -> str:
    largest = difference(rows)
    return (
        "The same numbers: which word came first is lost."
        if largest == 0
        else f"Different numbers, by up to {fixed(largest, 2)}."
    )


def order_words(prices: dict[int, dict[str, int]], same: bool) -> list[Scene]:
    """What each way costs: weights before the hidden layer, by the number of words."""
    told = [
        ("sum", "The sum is cheap and deaf", "One matrix for any number of words, but every order gives one and the same sum."),
        ("joined", "Side by side pays by the word", "Every place has a matrix of its own: the weights grow with the window."),
        ("state", "A state pays once", "One matrix more, for the state, whatever the length: order is heard, nothing grows."),
    ]
    cards = [
        {
            "title": title,
            "rows": [[f"weights for {n} words", count(price[name])] for n, price in prices.items()],
            "sentences": [[[sentence, ""]]],
        }
        for name, title, sentence in told
    ]
    if same:
        cards[0]["sentences"].append([["The same word twice has only one order: choose two different ones.", "strong"]])
    return cards
